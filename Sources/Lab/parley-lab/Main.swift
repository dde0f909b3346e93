import LabCommand

@main
struct Main {
    static func main() async { await ParleyLab.runToEnd() }
}
