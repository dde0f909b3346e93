import type { Method } from "../protocol/generated/methods";
import type { HistoryPage } from "./engine";
import type { Parley } from "./parley";
import { Refusal, offline, refusalOf } from "./refusal";
import type { TabNews } from "./tabs";

/** How long another tab may take to answer. */
const answersWithin = 15_000;

type Question = Extract<TabNews, { type: "ask" | "read" | "drop" }>;
type Answer = Extract<TabNews, { type: "answer" }>;

/** The requests that a tab without a connection makes by the one that leads. */
export class TabCalls {
    private readonly asked = new Map<string, (answer: Answer) => void>();

    constructor(private readonly parley: Parley) {}

    /** Asks the tab that leads. */
    ask(question: (id: string) => Question): Promise<Uint8Array | undefined> {
        const id = this.parley.outbox.nextID();
        return new Promise((resolve, reject) => {
            const end = () => {
                clearTimeout(late);
                this.asked.delete(id);
            };
            const late = setTimeout(() => {
                end();
                reject(offline());
            }, answersWithin);
            this.asked.set(id, ({ body, problem }) => {
                end();
                if (problem) reject(new Refusal(problem.code, problem.message, problem.field));
                else resolve(body);
            });
            this.parley.account?.tabs.tell(question(id));
        });
    }

    /** Takes an answer, which may be for another tab. */
    answered(answer: Answer): void {
        this.asked.get(answer.id)?.(answer);
    }

    /** Does what another tab asks. */
    async answer(question: Question): Promise<Answer> {
        const { id } = question;
        try {
            if (question.type === "read") {
                await this.parley.readPage(question.page as HistoryPage, question.conversation, question.limit);
                return { type: "answer", id };
            }
            if (question.type === "drop") {
                await this.parley.outbox.reload();
                await this.parley.outbox.sender.drop(question.unsent);
                return { type: "answer", id };
            }
            const { method, key, body } = question;
            return { type: "answer", id, body: await this.parley.transmitFor(method as Method, key, body) };
        } catch (error) {
            const { code, message, field } = refusalOf(error);
            return { type: "answer", id, problem: { code, message, field } };
        }
    }
}
