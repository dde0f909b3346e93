// What webkit_driver.py does inside a page. It runs behind Playwright's own script, whose `module` is in scope, so that
// elements are found and judged by the same code as in Chromium.
const injected = new (module.exports.InjectedScript())(globalThis, {
    isUnderTest: false, sdkLanguage: "python", frameSeq: 0, testIdAttributeName: "data-testid", stableRafCount: 1,
    browserName: "webkit", shouldPrependErrorPrefix: true, isUtilityWorld: false, customEngines: [],
});
const kept = new Map();
let guard, chosen, listensToChoosers = false;

const all = (selector) => injected.querySelectorAll(injected.parseSelector(selector), document);

/** The element that a selector means, or the one that was kept; null if there is none. */
function one({ selector, kept: number }) {
    if (number !== undefined) {
        const element = kept.get(number);
        if (!element?.isConnected) throw new Error("The element is no longer part of the page.");
        return element;
    }
    const found = all(selector);
    onlyOne(found, selector);
    return found[0] ?? null;
}

function onlyOne(found, selector) {
    if (found.length > 1) throw injected.strictModeViolationError(injected.parseSelector(selector), found);
}

/** Why an element cannot be used yet; nothing if it can. */
async function problem(element, states) {
    if (!element) return "there is no such element";
    const missing = await injected.checkElementStates(element, states, true);
    if (missing) return missing.missingState ? `the element is not ${missing.missingState}` : "the element is gone";
}

/** Sets a field that is not written into, as a day is chosen. React has put a setter of its own into the field. */
function setValue(field, value) {
    if (!["date", "time", "datetime-local", "range", "color"].includes(field.type)) return false;
    field.focus();
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, value);
    for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
    return true;
}

addEventListener("click", (event) => {
    const field = event.target;
    if (!listensToChoosers || field?.nodeName !== "INPUT" || field.type !== "file") return;
    event.preventDefault();
    chosen = field;
}, true);

// What the browser complains about, as far as a page can learn of it: what its rules refused is kept for this observer,
// errors are those since this script runs.
const complaints = [];
addEventListener("error", ({ error }) => {
    if (error) complaints.push(`error: ${error.stack ?? error}`);
});
addEventListener("unhandledrejection", ({ reason }) => complaints.push(`not handled: ${reason?.stack ?? reason}`));
new ReportingObserver((reports) => {
    for (const { body } of reports) complaints.push(`refused: ${body.effectiveDirective} ${body.blockedURL}`);
}, { types: ["csp-violation"], buffered: true }).observe();
const write = console.error;
console.error = (...values) => {
    complaints.push(values.join(" "));
    write.apply(console, values);
};

const page = {
    state: () => ({ url: location.href, complaints: complaints.splice(0) }),
    /** Whether it is as expected, and what is there instead. */
    async expect({ selector, options }) {
        const isMany = options.expression === "to.have.count" || options.expression.endsWith(".array");
        const found = all(selector ?? ":root");
        if (!isMany) onlyOne(found, selector);
        if (found.length > 0 || isMany) return injected.expect(found[0], options, found, true);
        const ofNothing = {
            "to.be.hidden": true, "to.be.detached": true, "to.be.visible": false, "to.be.attached": false,
            "to.be.in.viewport": false,
        };
        return { matches: ofNothing[options.expression] ?? options.isNot, isMissing: true };
    },
    count: ({ selector }) => all(selector).length,
    /** Where an element is pressed, once it takes what is pressed there. `released` says whether it did. */
    async point(target) {
        const element = one(target);
        const why = await problem(element, ["visible", "enabled", "stable"]);
        if (why) return { why };
        element.scrollIntoViewIfNeeded();
        const box = [...element.getClientRects()].find(({ width, height }) => width > 0 && height > 0);
        if (!box) return { why: "the element has no size" };
        const middle = (start, end, room) => Math.floor((Math.max(start, 0) + Math.min(end, room)) / 2);
        const point = { x: middle(box.left, box.right, innerWidth), y: middle(box.top, box.bottom, innerHeight) };
        guard?.stop();
        guard = injected.setupHitTargetInterceptor(element, target.isHover ? "hover" : "mouse", point, false);
        if (typeof guard !== "string") return point;
        const inFront = guard;
        guard = undefined;
        return { why: `${inFront} is in front of the element` };
    },
    /** Whether what was pressed reached the element: if not, nothing else has got it. */
    released() {
        const result = guard?.stop() ?? "done";
        guard = undefined;
        return result === "done" ? {} : { why: `${result.hitTargetDescription ?? "something"} was in front of it` };
    },
    async focus(target) {
        const element = one(target);
        const why = await problem(element, ["visible"]);
        if (why) return { why };
        injected.focusNode(element, true);
        return {};
    },
    /** Replaces the text of a field, as somebody does who selects it and pastes. */
    async fill({ value, ...target }) {
        const element = one(target);
        const why = await problem(element, ["visible", "enabled", "editable"]);
        if (why) return { why };
        if (setValue(element, value)) return {};
        if (injected.fill(element, value) === "needsinput") {
            if (value) document.execCommand("insertText", false, value);
            else document.execCommand("delete");
        }
        return {};
    },
    async select({ options, ...target }) {
        const element = one(target);
        const why = await problem(element, ["visible", "enabled"]);
        if (why) return { why };
        const values = injected.selectOptions(element, options);
        return typeof values === "string" ? { why: values } : { values };
    },
    checked(target) {
        const element = one(target);
        if (!element) return { why: "there is no such element" };
        return { isChecked: injected.elementState(element, "checked").matches };
    },
    /** Keeps an element under a number, once it is in a state. */
    async keep({ state, number, ...target }) {
        const element = one(target);
        if (state === "hidden" || state === "detached") {
            const isGone = !element || (state === "hidden" && injected.elementState(element, "hidden", true).matches);
            return isGone ? {} : { why: `the element is not ${state}` };
        }
        const why = await problem(element, state === "visible" ? ["visible"] : []);
        if (why) return { why };
        kept.set(number, element);
        return { preview: injected.previewNode(element) };
    },
    listenToChoosers({ isEnabled }) {
        listensToChoosers = isEnabled;
    },
    chosen({ number }) {
        if (!chosen) return {};
        kept.set(number, chosen);
        const { multiple } = chosen;
        chosen = undefined;
        return { isChosen: true, isMultiple: multiple };
    },
    files({ payloads, ...target }) {
        const why = injected.setInputFiles(one(target), payloads);
        if (why) throw new Error(why);
    },
    box(target) {
        const { x, y, width, height } = one(target).getBoundingClientRect();
        return { x, y, width, height };
    },
    read({ what, name, ...target }) {
        const element = one(target);
        if (!element) return { why: "there is no such element" };
        return { value: what === "attribute" ? element.getAttribute(name) : element[what] };
    },
    elements: all,
    one,
};
Object.defineProperty(globalThis, Symbol.for("driver"), { value: page });
