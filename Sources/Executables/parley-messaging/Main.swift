import MessagingService
import ServiceKit

@main
struct Main {
    static func main() async { await ParleyProcess.run(MessagingService.self) }
}
