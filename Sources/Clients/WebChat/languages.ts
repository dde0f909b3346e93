import type { Language } from "./language";

/** The languages besides English, by their codes, each loaded when it is spoken. Sources/Clients/Web/README.md: how. */
export const languages: Readonly<Record<string, () => Promise<{ readonly language: Language }>>> = {
    de: () => import("./german"),
};
