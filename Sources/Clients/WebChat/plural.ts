import { locale } from "./language";

/** The form for a number, in which `#` stands for it. */
export function plural(
    count: number, forms: Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>,
): string {
    const form = forms[new Intl.PluralRules(locale).select(count)] ?? forms.other;
    return form.replace("#", () => new Intl.NumberFormat(locale).format(count));
}

/** How long something takes, in the largest unit that fits, such as "2 days". */
export function lasting(milliseconds: number): string {
    const units = [[86_400_000, "day"], [3_600_000, "hour"], [60_000, "minute"]] as const;
    const [length, unit] = units.find(([each]) => Math.round(milliseconds / each) > 0) ?? [1000, "second"];
    return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" })
        .format(Math.round(milliseconds / length));
}
