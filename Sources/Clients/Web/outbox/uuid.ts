export * from "../protocol/uuid";
