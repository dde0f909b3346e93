import ConversationsService
import ServiceKit

@main
struct Main {
    static func main() async { await ParleyProcess.run(ConversationsService.self) }
}
