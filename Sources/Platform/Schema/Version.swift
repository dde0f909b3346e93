/// The release of Parley.
public enum Parley {
    /// The version, by Semantic Versioning. Defined only here; `CHANGELOG.md` begins with it.
    public static let version = "0.1.0"
}
