import * as sdk from "../Web/api/index";
import { drafts } from "./drafts";
import type { Chat, Connection, Conversation, Message, MessageStatus, NewAccount, Person, Section } from "./model";
import { words } from "./notes";

const statuses: Record<sdk.DeliveryStatus, MessageStatus> = {
    sending: "waiting", failed: "failed", sent: "sent", delivered: "delivered", read: "read",
};

/** Codes after which this device has to sign in again. */
const endings = ["unauthenticated", "revoked", "refresh_refused"];

function personOf(user: sdk.User): Person {
    return { id: user.id, username: user.username, name: user.displayName, isDeleted: user.isDeleted };
}

/** A conversation of the SDK, as the page shows it. */
class KitConversation implements Conversation {
    private readonly shown = new WeakMap<sdk.Message, Message>();
    private drawn: {
        of: readonly sdk.Message[]; members: readonly sdk.Member[]; messages: readonly Message[];
    } | null = null;

    constructor(private readonly own: sdk.Conversation, private readonly parley: sdk.Parley) {}

    get id() { return this.own.id; }
    get version() { return this.own.version; }
    get subscribe() { return this.own.subscribe; }
    get isGroup() { return this.own.kind === "group"; }
    get title() {
        const { other, members } = this.own;
        if (this.isGroup) return this.own.title || "Group";
        if (!other && members.length > 0) return "Notes to yourself";
        return this.own.title || other?.username || "Conversation";
    }
    get other() { return this.own.other ? personOf(this.own.other) : null; }
    get memberCount() { return this.own.memberCount; }
    get section(): Section {
        const { section } = this.own;
        return section === "requests" ? "requests" : section === "blocked" ? "gone" : "inbox";
    }
    get request() { return this.own.request === "sent" || this.own.request === "received" ? this.own.request : "none"; }
    get canWrite() { return this.own.section === "inbox" && !this.own.hasLeft && this.own.request !== "blocked"; }
    get unread() { return this.own.section === "inbox" ? this.own.unread.messages : 0; }
    get isMarkedUnread() { return this.own.unread.isMarked; }
    get mentions() { return this.unread > 0 ? this.own.unread.mentions : 0; }
    get isPinned() { return this.own.isPinned; }
    get isMuted() { return this.own.mutedUntil === "always" || (this.own.mutedUntil?.getTime() ?? 0) > Date.now(); }
    get isLoaded() { return this.own.isLoaded; }
    get hasOlder() { return this.own.hasOlder; }
    get readUpTo() { return this.own.readUpTo; }
    get draft() { return drafts.get(this.id) || this.own.draft; }
    get typing() { return this.own.typing.map((id) => this.name(id)); }
    get lastMessage() { return this.own.lastMessage ? this.messageOf(this.own.lastMessage) : null; }

    get messages(): readonly Message[] {
        const { messages, members } = this.own;
        if (this.drawn?.of !== messages || this.drawn.members !== members) {
            const shown = messages.filter(({ isHidden }) => !isHidden).map((message) => this.messageOf(message));
            this.drawn = { of: messages, members, messages: shown };
        }
        return this.drawn.messages;
    }

    name(of: string): string {
        const user = this.own.members.find((member) => member.user.id === of)?.user;
        return of === this.parley.user ? "You" : user?.displayName || user?.username || "Somebody";
    }

    private messageOf(message: sdk.Message): Message {
        const { note, sender = "", seq = 0 } = message;
        const known = this.shown.get(message);
        const text = note ? words(note, (id) => this.name(id)) : message.text;
        if (known && known.text === text) return known;
        const made: Message = {
            id: message.id, seq, sender, text, sentAt: message.sentAt.getTime(), isEdited: message.editedAt !== undefined,
            isDeleted: message.isDeleted, isNote: note !== undefined, file: message.attachment?.name ?? "",
            mentionsMe: message.mentions.includes(this.parley.user ?? ""), reactions: message.reactions,
            status: statuses[message.status], problem: message.refusal?.message ?? "",
        };
        this.shown.set(message, made);
        return made;
    }

    private sdkMessage(message: Message): sdk.Message {
        const found = this.own.message(message.id);
        if (!found) throw new sdk.Refusal("message_not_found", "The message is no longer shown.");
        return found;
    }

    load() { return this.own.load(); }
    loadOlder() { return this.own.loadOlder(); }
    async send(text: string) { await this.own.send(text); }
    async edit(message: Message, text: string) { await this.own.edit(this.sdkMessage(message), text); }
    async delete(message: Message) { await this.own.delete(this.sdkMessage(message)); }
    async retry(message: Message) {
        const failed = this.parley.unsent.filter((each) => each.message === message.id && each.syncStatus === "failed");
        for (const { id } of failed) await this.parley.retry(id);
    }
    async drop(message: Message) {
        const failed = this.parley.unsent.filter((each) => each.message === message.id && each.syncStatus === "failed");
        for (const { id } of failed) await this.parley.drop(id);
    }
    markRead() { return this.own.markRead(); }
    setDraft(text: string) {
        this.own.setDraft(text);
        drafts.set(this.id, text);
        if (text) this.own.typingNow(); else this.own.stopTyping();
    }
    stopTyping() { this.own.stopTyping(); }
    pin(isPinned: boolean) { return this.own.pin(isPinned); }
    accept() { return this.own.accept(); }
    decline() { return this.own.decline(); }
    async block() { if (this.own.other) await this.parley.block(this.own.other); }
}

/** The chat of the SDK, once it is open. */
class KitChat implements Chat {
    private parley: sdk.Parley | null = null;
    private readonly listeners = new Set<() => void>();
    private readonly known = new WeakMap<sdk.Conversation, KitConversation>();
    private readonly people = new Map<string, sdk.User>();
    private readonly shown = new Map<
        sdk.ConversationList, { of: readonly sdk.Conversation[]; list: readonly Conversation[] }>();
    version = 0;

    constructor(url: string) {
        void sdk.Parley.open(url, { name: "parley-chat", pageSize: 50 }).then((parley) => {
            this.parley = parley;
            for (const each of [parley, parley.inbox, parley.requests]) each.subscribe(this.changed);
            parley.onChange(({ type }) => { if (type !== "status") this.changed(); });
            this.changed();
        });
    }

    private readonly changed = () => {
        this.version += 1;
        for (const listener of [...this.listeners]) listener();
    };

    readonly subscribe = (listener: () => void) => {
        this.listeners.add(listener);
        return () => { this.listeners.delete(listener); };
    };

    private get open(): sdk.Parley {
        if (!this.parley) throw new sdk.Refusal("closed", "The page is still opening. Try again in a moment.");
        return this.parley;
    }

    get isOpen() { return this.parley !== null; }

    /** Whether the server signed this device out. What is kept stays until the person signs in again. */
    private get isEnded(): boolean {
        return endings.includes(this.parley?.problem?.code ?? "");
    }

    get connection(): Connection {
        const { parley } = this;
        if (!parley) return "connecting";
        if (!parley.user || this.isEnded) return "signedOut";
        const { connection } = parley;
        return connection === "online" || connection === "elsewhere" ? "connected" : connection;
    }

    get problem(): string {
        const { parley } = this;
        if (!parley) return "";
        const { problem, storageProblem } = parley;
        if (this.isEnded) return "You were signed out on this device. Sign in again.";
        if (!parley.user) return "";
        if (problem && !problem.isRetriable && parley.connection !== "online") return problem.message;
        return storageProblem && storageProblem.message || "";
    }

    get me(): Person | null {
        const { parley } = this;
        if (!parley?.user || this.isEnded) return null;
        if (parley.profile) return personOf(parley.profile.user);
        return { id: parley.user, username: "", name: "", isDeleted: false };
    }

    get inbox() { return this.parley ? this.list(this.parley.inbox) : []; }
    get requests() { return this.parley ? this.list(this.parley.requests) : []; }
    get hasMore() { return this.parley?.inbox.hasMore ?? false; }
    get isFromCache() { return this.parley?.inbox.isFromCache ?? true; }
    async loadMore() { await this.parley?.inbox.loadMore(); }
    get unsent() {
        const isMessage = ({ kind, syncStatus }: sdk.Unsent) =>
            syncStatus === "pending" && (kind.type === "message" || kind.type === "file");
        return this.parley?.unsent.filter(isMessage).length ?? 0;
    }

    private list(list: sdk.ConversationList): readonly Conversation[] {
        const { conversations } = list;
        const before = this.shown.get(list);
        if (before?.of === conversations) return before.list;
        const made = conversations.map((each) => this.of(each));
        this.shown.set(list, { of: conversations, list: made });
        return made;
    }

    private of(own: sdk.Conversation): Conversation {
        const known = this.known.get(own);
        if (known) return known;
        const made = new KitConversation(own, this.open);
        this.known.set(own, made);
        return made;
    }

    conversation(id: string): Conversation | null {
        const own = this.parley?.user ? this.parley.conversation(id) : undefined;
        return own?.section !== undefined ? this.of(own) : null;
    }

    signIn(username: string, password: string) { return this.open.signIn(username, password, device()); }

    async register({ username, password, name, code, proof }: NewAccount, progress: (what: string) => void) {
        const late = setTimeout(() => progress("Doing some work for the server …"), 1500);
        try {
            await this.open.register({ username, password, displayName: name, code, proof, deviceName: device() });
        } finally {
            clearTimeout(late);
        }
    }

    async registrationPage() { return await this.open.registrationPage() ?? ""; }
    async signOut(discardingUnsent: boolean) {
        await this.open.signOut({ discardingUnsent });
        drafts.clear();
    }

    async search(text: string) {
        const users = await this.open.searchUsers(text, { isPicker: true, limit: 20 });
        for (const user of users) this.people.set(user.id, user);
        return users.map(personOf);
    }

    async start(person: Person) {
        const user = this.people.get(person.id) ?? (await this.open.users([person.id]))[0];
        if (!user) throw new sdk.Refusal("user_not_found", "This person is no longer here.");
        return (await this.open.startConversation(user)).id;
    }

    look(isVisible: boolean, conversation: string) { this.parley?.setActivity(isVisible, conversation); }
}

/** How the person recognizes this browser among their devices. */
function device(): string {
    const agent = navigator.userAgent;
    const browser = /Edg|Firefox|Chrome|Safari/.exec(agent)?.[0]?.replace("Edg", "Edge") ?? "Browser";
    const system = /Windows|Android|iPhone|iPad|Mac OS|Linux/.exec(agent)?.[0];
    return system ? `${browser} on ${system}` : browser;
}

/** Opens the chat of this browser with a server. */
export function open(url: string): Chat {
    return new KitChat(url);
}
