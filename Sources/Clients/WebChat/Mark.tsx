export function Mark() {
    return <img className="mark" src="/icon.svg" alt="" width="56" height="56" />;
}
