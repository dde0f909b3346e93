declare module "node:module" {
    export function createRequire(path: string | URL): (name: string) => unknown;
}
