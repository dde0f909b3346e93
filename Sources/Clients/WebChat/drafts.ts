/**
 * The last second of what somebody writes, which the SDK has not stored yet when the page is loaded anew. It is the
 * tab's own, and ends with it.
 */
export const drafts = {
    get(conversation: string): string {
        try {
            return sessionStorage.getItem(`draft ${conversation}`) ?? "";
        } catch {
            return "";
        }
    },

    set(conversation: string, text: string) {
        try {
            if (text) sessionStorage.setItem(`draft ${conversation}`, text);
            else sessionStorage.removeItem(`draft ${conversation}`);
        } catch {
            // Full, or forbidden: what the SDK stored is all.
        }
    },

    clear() {
        try {
            sessionStorage.clear();
        } catch {
            // There is nothing to clear then.
        }
    },
};
