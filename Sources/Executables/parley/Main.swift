import Command

@main
struct Main {
    static func main() async { await ParleyCommand.runToEnd() }
}
