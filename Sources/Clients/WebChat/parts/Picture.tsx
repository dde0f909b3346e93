import qrcode from "qrcode-generator";

/** Free modules that a reader needs on each side. */
const margin = 4;

/** A text as a QR code, always dark on light, as readers want it. */
export function Picture({ text, label }: { text: string; label: string }) {
    const code = qrcode(0, "M");
    code.addData(text);
    code.make();
    const count = code.getModuleCount();
    const size = count + 2 * margin;
    let dark = "";
    for (let row = 0; row < count; row++) {
        for (let column = 0; column < count; column++) {
            if (code.isDark(row, column)) dark += `M${column + margin} ${row + margin}h1v1h-1z`;
        }
    }
    return (
        <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} width="208" height="208"
            shapeRendering="crispEdges">
            <rect width={size} height={size} fill="#fff" />
            <path d={dark} fill="#000" />
        </svg>
    );
}
