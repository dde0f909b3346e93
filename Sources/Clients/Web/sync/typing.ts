import type { Typing } from "../protocol/generated/messages";
import { least } from "./asking";

/** How long after the last Update typing ends. The server repeats it every 5 s. */
export const typingLifetime = 10_000;

/** Who is typing, as far as this session was told. A message of theirs, and silence, end it without an Update. */
export class SyncTyping {
    /** When it ends, by conversation and user id. */
    private readonly ends = new Map<string, Map<string, number>>();

    /** When the next of them ends; null: nobody is typing. */
    get nextEnd(): number | null {
        return least([...this.ends.values()].flatMap((people) => [...people.values()]));
    }

    /** The conversations in which somebody is typing. */
    get conversations(): string[] {
        return [...this.ends.keys()].sort();
    }

    /** Returns the people who are typing in a conversation, in order of their user ids. */
    people(conversation: string): string[] {
        return [...(this.ends.get(conversation)?.keys() ?? [])].sort();
    }

    /** Takes an Update. Returns whether somebody began or stopped. */
    take(state: Typing, now: number): boolean {
        if (!state.typing) return this.end(state.user, state.conversation);
        let people = this.ends.get(state.conversation);
        if (!people) this.ends.set(state.conversation, (people = new Map<string, number>()));
        const isNew = !people.has(state.user);
        people.set(state.user, now + typingLifetime);
        return isNew;
    }

    /** Ends a person's typing. Returns whether they were typing. */
    end(user: string, conversation: string): boolean {
        const people = this.ends.get(conversation);
        if (!people?.delete(user)) return false;
        if (people.size === 0) this.ends.delete(conversation);
        return true;
    }

    /** Ends what the server has not repeated. Returns the conversations in which somebody stopped. */
    expire(now: number): string[] {
        return this.conversations.filter((conversation) => {
            const over = [...this.ends.get(conversation)!].filter(([, end]) => end <= now);
            for (const [user] of over) this.end(user, conversation);
            return over.length > 0;
        });
    }

    /** Ends everybody's. Returns the conversations in which somebody was typing. */
    endAll(): string[] {
        const { conversations } = this;
        this.ends.clear();
        return conversations;
    }
}
