/// Returns one length-delimited field in wire format, built by hand.
func delimited(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
    var length = bytes.count
    var result: [UInt8] = [number << 3 | 2]
    while length > 127 {
        result.append(UInt8(length & 127) | 128)
        length >>= 7
    }
    return result + [UInt8(length)] + bytes
}

func delimited(_ number: UInt8, _ text: String) -> [UInt8] {
    delimited(number, Array(text.utf8))
}
