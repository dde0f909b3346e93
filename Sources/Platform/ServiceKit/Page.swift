/// How long pages are.
public enum Page {
    public static let usual = 50
    public static let most = 200
    /// A page ends earlier where it would be longer than this.
    public static let bytesMax = 96 * 1024

    /// What a request's `limit` means: zero is the usual, and more than the most is the most.
    public static func limit(_ asked: UInt32) -> Int {
        asked == 0 ? usual : min(Int(asked), most)
    }
}
