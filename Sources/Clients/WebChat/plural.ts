import { locale } from "./language";

/** The form for a number, in which `#` stands for it. */
export function plural(
    count: number, forms: Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>,
): string {
    const form = forms[new Intl.PluralRules(locale).select(count)] ?? forms.other;
    return form.replace("#", () => new Intl.NumberFormat(locale).format(count));
}
