/// Names of media types. Pure.
enum MediaTypes {
    /// What phones, browsers and tools call formats, by the name that each has here.
    static let names: [String: String] = {
        let others: [(String, [String])] = [
            ("image/jpeg", ["image/jpg", "image/pjpeg", "image/jpe", "image/jfif", "image/x-jpeg", "image/x-jpg"]),
            ("image/png", ["image/x-png", "image/apng", "image/vnd.mozilla.apng"]),
            ("image/webp", ["image/x-webp"]), ("image/gif", ["image/x-gif"]),
            ("image/heic", ["image/heic-sequence"]), ("image/heif", ["image/heif-sequence"]),
            ("image/avif", ["image/avif-sequence"]),
            ("image/bmp", ["image/x-bmp", "image/x-ms-bmp", "image/x-windows-bmp", "image/ms-bmp"]),
            ("image/tiff", ["image/tif", "image/x-tiff", "image/x-tif"]),
            (
                "audio/mp4",
                ["audio/m4a", "audio/x-m4a", "audio/mp4a-latm", "audio/x-mp4", "audio/m4b", "audio/x-m4b"]
            ),
            ("audio/mpeg", ["audio/mp3", "audio/x-mp3", "audio/x-mpeg", "audio/mpeg3", "audio/x-mpeg-3", "audio/mpg"]),
            ("audio/wav", ["audio/x-wav", "audio/wave", "audio/vnd.wave", "audio/x-pn-wav"]),
            ("audio/flac", ["audio/x-flac"]),
            ("audio/aac", ["audio/x-aac", "audio/aacp", "audio/x-hx-aac-adts", "audio/vnd.dlna.adts"]),
            ("audio/ogg", ["audio/opus", "audio/x-opus", "audio/x-ogg", "audio/vorbis", "audio/x-opus+ogg"]),
            ("audio/amr", ["audio/x-amr", "audio/amr-wb", "audio/amr-nb"]),
            ("audio/x-caf", ["audio/caf"]), ("audio/3gpp", ["audio/3gpp2"]),
            ("video/mp4", ["video/x-m4v", "video/m4v", "video/mp4v-es", "video/x-mp4", "application/mp4"]),
            ("video/3gpp", ["video/3gp", "video/3gpp2", "video/x-3gpp"]),
            ("video/quicktime", ["video/mov", "video/x-quicktime"]),
            ("video/x-matroska", ["video/mkv", "video/x-mkv", "video/matroska"]),
            ("audio/x-matroska", ["audio/mka", "audio/matroska"]), ("video/webm", ["video/x-webm"]),
            ("video/x-msvideo", ["video/avi", "video/msvideo", "video/vnd.avi"]),
            ("application/pdf", ["application/x-pdf"]),
            ("application/zip", ["application/x-zip-compressed", "application/x-zip", "multipart/x-zip"]),
        ]
        return Dictionary(uniqueKeysWithValues: others.flatMap { name, others in others.map { ($0, name) } })
    }()

    /// Programs, and archives of which nobody counts what they unpack to.
    static let octetsOnly: Set<String> = [
        "application/gzip", "application/x-gzip", "application/x-compress", "application/x-bzip2", "application/x-bzip",
        "application/x-xz", "application/zstd", "application/x-lz4", "application/x-lzip", "application/x-arj",
        "application/x-7z-compressed", "application/vnd.rar", "application/x-rar-compressed", "application/x-rar",
        "application/vnd.ms-cab-compressed", "application/x-gtar", "application/x-compressed-tar",
        "application/x-msdownload", "application/x-msdos-program", "application/x-dosexec", "application/x-executable",
        "application/vnd.microsoft.portable-executable", "application/x-elf", "application/x-sharedlib",
        "application/x-mach-binary", "application/java-vm", "application/wasm",
    ]
}
