/// Page sizes.
public enum Page {
    public static let usual = 50
    public static let most = 200
    /// A page ends early rather than exceed this.
    public static let bytesMax = 96 * 1024

    /// Returns the page size for a request's `limit`. Zero means `usual`, and larger limits are capped at `most`.
    public static func limit(_ requested: UInt32) -> Int {
        requested == 0 ? usual : min(Int(requested), most)
    }
}
