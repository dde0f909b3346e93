import { StoreProblem } from "./problem";

/** The browser's databases; absent where it has none. */
export const databases = (): IDBFactory | undefined => (globalThis as { indexedDB?: IDBFactory }).indexedDB;

/** @throws StoreProblem */
export function promised<T>(request: IDBRequest<T>): Promise<T> {
    return new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(StoreProblem.of(request.error));
    });
}
