/// What this is a release of.
public enum Parley {
    /// The release, by Semantic Versioning. Here and nowhere else; `CHANGELOG.md` begins with it.
    public static let version = "0.1.0"
}
