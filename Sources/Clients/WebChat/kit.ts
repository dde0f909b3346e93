import type * as sdk from "../Web/api/index";
// From its own file: what index.ts exports besides would come with it, on the first visit.
import { Parley } from "../Web/api/parley";
import { methods } from "../Web/protocol/methods";
import { drafts } from "./drafts";
import { say } from "./english/door";
import { why } from "./language";
import type {
    Attached, Chat, Connection, Conversation, FileFacts, Fired, Member, Message, MessageStatus, Moment, NewAccount,
    Person, Role, Section, Suggestion,
} from "./model";
import { safe, unstacked } from "./safe";

const statuses: Record<sdk.DeliveryStatus, MessageStatus> = {
    sending: "waiting", failed: "failed", sent: "sent", delivered: "delivered", read: "read",
};

/** By how much a clock may be wrong until the person is told, in milliseconds. */
const clockMax = 600_000;

/** Codes after which this device has to sign in again. */
const endings = ["unauthenticated", "revoked", "refresh_refused"];

/** What says in words what happened in a conversation: it comes with the part that shows messages. */
export const notes: { words: (note: sdk.SystemNote, name: (id: string) => string) => string } = { words: () => "" };

export function personOf({ id, username, displayName: name, isDeleted, photo = "" }: sdk.User): Person {
    return { id, username: safe(username), name: safe(name), isDeleted, photo };
}

/** Pictures that every browser of today shows. */
const pictures = /^image\/(png|jpeg|gif|webp|avif)$/;

function fileOf({ attachment, kind, progress = -1 }: sdk.Message): Pick<Message, "attached" | "file" | "progress"> {
    if (!attachment) return { attached: null, file: "", progress: -1 };
    const { mimeType, sizeBytes, width = 0, height = 0, durationMs = 0, thumbnail, url = "" } = attachment;
    const shown: Attached["kind"] = kind === "voice" ? "voice"
        : kind === "image" && pictures.test(mimeType) ? "picture"
            : kind === "video" ? "film" : mimeType.startsWith("audio/") ? "sound" : "other";
    const name = safe(attachment.name);
    const preview = thumbnail ? `data:image/jpeg;base64,${btoa(String.fromCharCode(...thumbnail))}` : "";
    const attached: Attached = {
        kind: shown, name: name || say.file, bytes: sizeBytes, width, height, duration: durationMs, preview,
        elsewhere: url,
    };
    return { attached, file: kind === "voice" ? say.voiceMessage : name || say.file, progress };
}

const cards: Partial<Record<sdk.SystemNote["kind"], "event" | "decision">> = {
    eventShared: "event", decisionShared: "decision",
};

function cardOf(note: sdk.SystemNote | undefined): Message["card"] {
    const kind = note && cards[note.kind];
    return kind && note.entity ? { kind, id: note.entity } : null;
}

/** When an event is: of one with a time of day, where it is meant, which may be another zone than here. */
export function momentOf(
    { startsAt, date, time, minutes = 0 }: { startsAt?: Date; date?: string; time?: string; minutes?: number },
): Moment | null {
    const at = startsAt?.getTime() ?? Date.parse(time ? `${date}T${time}` : `${date}T00:00Z`);
    return Number.isFinite(at) ? { at, isWholeDay: !time, minutes } : null;
}

function suggestionOf(made: sdk.Suggestion): Suggestion {
    const { id, kind, title, isAnswer, dueAt } = made;
    const due = dueAt ? { at: dueAt.getTime(), isWholeDay: false, minutes: 0 } : null;
    const when = kind === "event" ? momentOf(made) : due;
    return { id, kind, title, when, isAnswer };
}

/** A conversation of the SDK, as the page shows it. */
class KitConversation implements Conversation {
    private readonly shown = new WeakMap<sdk.Message, Message>();
    private drawn: {
        of: readonly sdk.Message[]; members: readonly sdk.Member[]; names: number; suggested: readonly sdk.Suggestion[];
        messages: readonly Message[];
    } | null = null;

    private readonly bySeq = new Map<number, Message>();
    private people: { of: readonly sdk.Member[]; list: readonly Member[] } | null = null;
    private missing: { of: readonly sdk.Gap[]; map: ReadonlyMap<number, number> } | null = null;

    constructor(
        readonly own: sdk.Conversation, private readonly parley: sdk.Parley, private readonly names: Names,
    ) {}

    get id() { return this.own.id; }
    get version() { return this.own.version; }
    get subscribe() { return this.own.subscribe; }
    get isGroup() { return this.own.kind === "group"; }
    get title() {
        const { other, members } = this.own;
        if (this.isGroup) return safe(this.own.title) || say.group;
        if (!other && members.length > 0) return say.notesToYourself;
        return safe(this.own.title || other?.username || "") || say.conversation;
    }
    get other() { return this.own.other ? personOf(this.own.other) : null; }
    get presence() {
        const found = this.own.other && this.parley.presence.get(this.own.other.id);
        return found
            ? { status: found.status, lastSeen: found.lastSeen?.getTime() ?? 0, text: found.statusText ?? "" } : null;
    }
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
    get isArchived() { return this.own.isArchived; }
    get hasLeft() { return this.own.hasLeft; }
    get photo() { return this.own.photo ?? ""; }
    get requester() { return this.own.requester ?? ""; }
    get retention() { return this.own.retention ?? 0; }
    get role(): Role { return this.own.members.find(({ user }) => user.id === this.parley.user)?.role ?? "member"; }
    get members(): readonly Member[] {
        const { members } = this.own;
        if (this.people?.of !== members) {
            this.people = { of: members, list: members.map(({ user, role }) => ({ person: personOf(user), role })) };
        }
        return this.people.list;
    }
    get isLoaded() { return this.own.isLoaded; }
    get gaps() {
        const { gaps } = this.own;
        if (this.missing?.of !== gaps) {
            this.missing = { of: gaps, map: new Map(gaps.map(({ first, last }) => [last + 1, first])) };
        }
        return this.missing.map;
    }
    get hasOlder() { return this.own.hasOlder; }
    get readUpTo() { return this.own.readUpTo; }
    get draft() { return drafts.get(this.id) || this.own.draft; }
    get typing() { return this.own.typing.map((id) => this.name(id)); }
    get lastMessage() { return this.own.lastMessage ? this.messageOf(this.own.lastMessage) : null; }

    get messages(): readonly Message[] {
        const { messages, members } = this.own;
        const names = this.names.version;
        const { suggestions: suggested } = this.parley;
        const isSame = this.drawn?.of === messages && this.drawn.members === members && this.drawn.names === names
            && this.drawn.suggested === suggested;
        if (!this.drawn || !isSame) {
            const shown = messages.filter(({ isHidden }) => !isHidden).map((message) => this.messageOf(message));
            this.drawn = { of: messages, members, names, suggested, messages: shown };
            this.bySeq.clear();
            for (const message of shown) this.bySeq.set(message.seq, message);
        }
        return this.drawn.messages;
    }

    name(of: string): string {
        if (of === this.parley.user) return say.you;
        return this.plainName(of) || this.names.of(of, this.own) || say.somebody;
    }

    private plainName(of: string): string {
        const user = this.own.members.find((member) => member.user.id === of)?.user;
        return safe(user?.displayName || user?.username || "");
    }

    at(seq: number): Message | null {
        return this.messages.length > 0 && seq > 0 ? this.bySeq.get(seq) ?? null : null;
    }

    messageOf(message: sdk.Message): Message {
        const { note, sender = "", seq = 0, thread, forwardedFrom } = message;
        const known = this.shown.get(message);
        const text = note ? safe(notes.words(note, (id) => this.name(id))) : unstacked(message.text);
        const suggested = this.parley.suggestions.find((each) => each.message === message.id);
        if (known && known.text === text && known.suggestion?.id === suggested?.id) return known;
        const made: Message = {
            id: message.id, seq, sender, text, sentAt: message.sentAt.getTime(),
            isEdited: message.editedAt !== undefined,
            isDeleted: message.isDeleted, isNote: note !== undefined, ...fileOf(message),
            card: cardOf(note), suggestion: suggested ? suggestionOf(suggested) : null,
            replyTo: message.replyTo ?? 0, replies: thread?.replies ?? 0, isStarred: message.isStarred,
            thread: message.threadStart ?? (thread ? seq : 0),
            forwardedFrom: forwardedFrom === undefined ? "" : this.name(forwardedFrom),
            mentioned: message.mentions.map((id) => this.plainName(id)).filter((name) => name !== ""),
            mentionsMe: message.mentions.includes(this.parley.user ?? ""), reactions: message.reactions,
            status: statuses[message.status], problem: message.refusal ? why(message.refusal) : "",
        };
        this.shown.set(message, made);
        return made;
    }

    private sdkMessage(message: Message): sdk.Message {
        const found = this.own.message(message.id);
        if (!found) throw new Error(say.messageGone);
        return found;
    }

    load() { return this.own.load(); }
    loadOlder() { return this.own.loadOlder(); }
    loadAround(seq: number) { return this.own.loadAround(seq); }
    async send(text: string, mentions: readonly string[] = [], replyTo: Message | null = null) {
        await this.own.send(text, { mentions, ...(replyTo ? { replyingTo: this.sdkMessage(replyTo) } : {}) });
    }
    async sendFile(file: Blob, fileName: string, media: FileFacts) {
        await this.own.send("", { file, fileName, media });
    }
    async openFile(message: Message) { return (await this.parley.openFile(this.sdkMessage(message))).blob; }
    async edit(message: Message, text: string, mentions: readonly string[] = []) {
        await this.own.edit(this.sdkMessage(message), text, mentions);
    }
    async delete(message: Message) { await this.own.delete(this.sdkMessage(message)); }
    async hide(message: Message) { await this.own.hide(this.sdkMessage(message)); }
    async star(message: Message, isStarred: boolean) { await this.own.star(this.sdkMessage(message), isStarred); }
    async react(message: Message, emoji: string, isMine: boolean) {
        const own = this.sdkMessage(message);
        await (isMine ? this.own.react(own, emoji) : this.own.removeReaction(own, emoji));
    }
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
    mute(until: number | null) {
        return until === null ? this.own.unmute() : this.own.mute(until === 0 ? undefined : new Date(until));
    }
    archive(isArchived: boolean) { return this.own.archive(isArchived); }
    markUnread() { return this.own.markUnread(); }
    accept() { return this.own.accept(); }
    decline() { return this.own.decline(); }
    async block() { if (this.own.other) await this.parley.block(this.own.other); }
}

/** Names of people who are no members any more, asked for once they are to be shown. */
class Names {
    version = 0;
    private readonly wanted = new Map<string, sdk.Conversation>();
    private readonly asked = new Set<string>();

    constructor(private readonly chat: KitChat) {}

    of(id: string, shownIn: sdk.Conversation): string {
        const user = this.chat.people.get(id);
        if (user) return user.isDeleted ? say.deletedUser : safe(user.displayName || user.username);
        if (id !== "" && !this.asked.has(id)) {
            if (this.wanted.size === 0) queueMicrotask(() => void this.ask());
            this.asked.add(id);
            this.wanted.set(id, shownIn);
        }
        return "";
    }

    private async ask() {
        const wanted = new Map([...this.wanted].slice(0, 200));
        this.wanted.clear();
        try {
            for (const user of await this.chat.open.users([...wanted.keys()])) this.chat.people.set(user.id, user);
            this.version += 1;
            for (const conversation of new Set(wanted.values())) conversation.touch();
        } catch {
            // Without a connection: they are asked for when they are shown again.
            for (const id of wanted.keys()) this.asked.delete(id);
        }
    }
}

/** The chat of the SDK, once it is open. */
class KitChat implements Chat {
    private parley: sdk.Parley | null = null;
    private readonly listeners = new Set<() => void>();
    private readonly known = new WeakMap<sdk.Conversation, KitConversation>();
    readonly people = new Map<string, sdk.User>();
    private readonly names = new Names(this);
    private readonly shown = new Map<
        sdk.ConversationList, { of: readonly sdk.Conversation[]; list: readonly Conversation[] }>();
    version = 0;
    isNew = false;

    constructor(url: string) {
        void Parley.open(url, { name: "parley-chat", pageSize: 50 }).then((parley) => {
            this.parley = parley;
            answerAll(parley);
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

    get open(): sdk.Parley {
        if (!this.parley) throw new Error(say.stillOpening);
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
        if (this.isEnded) return say.signedOut;
        if (!parley.user) return "";
        if (problem && !problem.isRetriable && parley.connection !== "online") return why(problem);
        return storageProblem ? why(storageProblem) : "";
    }

    get me(): Person | null {
        const { parley } = this;
        if (!parley?.user || this.isEnded) return null;
        if (parley.profile) return personOf(parley.profile.user);
        return { id: parley.user, username: "", name: "", isDeleted: false, photo: "" };
    }

    get inbox() { return this.parley ? this.list(this.parley.inbox) : []; }
    get requests() { return this.parley ? this.list(this.parley.requests) : []; }
    get requestCount() { return Math.max(this.parley?.requestCount.total ?? 0, this.requests.length); }
    get unreadRequests() { return this.parley?.requestCount.unread ?? 0; }
    get hasMore() { return this.parley?.inbox.hasMore ?? false; }
    get isFromCache() { return this.parley?.inbox.isFromCache ?? true; }
    async loadMore() { await this.parley?.inbox.loadMore(); }
    get unsent() {
        const isMessage = ({ kind, syncStatus }: sdk.Unsent) =>
            syncStatus === "pending" && (kind.type === "message" || kind.type === "file");
        return this.parley?.unsent.filter(isMessage).length ?? 0;
    }

    get isHeldUp() {
        const waiting = this.parley?.unsent.filter(({ syncStatus }) => syncStatus === "pending") ?? [];
        const has = (type: sdk.UnsentKind["type"]) => waiting.some(({ kind }) => kind.type === type);
        return this.connection === "connected" && has("message") && !has("file");
    }
    get clockOff() {
        const ahead = this.parley ? Date.now() - this.parley.nowUs / 1000 : 0;
        return Math.abs(ahead) < clockMax ? 0 : ahead;
    }

    get fired(): readonly Fired[] {
        const now = Date.now();
        const open = this.parley?.reminders.filter(({ firedAt, dueAt, isCompleted, syncStatus }) =>
            firedAt !== undefined && !isCompleted && (syncStatus === "synced" || dueAt.getTime() <= now));
        return (open ?? []).map(({ id, title, conversation = "" }) => ({ id, title, conversation }));
    }
    complete(reminder: string) { return this.open.completeReminder(reminder); }
    snooze(reminder: string, minutes: number) {
        return this.open.updateReminder(reminder, { dueAt: new Date(Date.now() + minutes * 60_000) });
    }
    accept({ id }: Suggestion) { return this.open.acceptSuggestion(id); }
    dismiss({ id }: Suggestion) { return this.open.dismissSuggestion(id); }

    list(list: sdk.ConversationList): readonly Conversation[] {
        const { conversations } = list;
        const before = this.shown.get(list);
        if (before?.of === conversations) return before.list;
        const made = conversations.map((each) => this.of(each));
        this.shown.set(list, { of: conversations, list: made });
        return made;
    }

    of(own: sdk.Conversation): KitConversation {
        const known = this.known.get(own);
        if (known) return known;
        const made = new KitConversation(own, this.open, this.names);
        this.known.set(own, made);
        return made;
    }

    get isDoNotDisturb() { return this.parley?.ownPresence?.availability === "doNotDisturb"; }
    onMessage(call: (conversation: Conversation, message: Message) => void) {
        return this.open.onChange((change) => {
            if (change.type !== "appended") return;
            const made = this.of(this.open.conversation(change.conversation));
            call(made, made.messageOf(change.message));
        });
    }
    conversation(id: string): Conversation | null {
        const own = this.parley?.user ? this.parley.conversation(id) : undefined;
        return own?.section !== undefined ? this.of(own) : null;
    }

    signIn(username: string, password: string) { return this.open.signIn(username, password, device()); }

    async register({ username, password, name, code, proof }: NewAccount, progress: (what: string) => void) {
        const late = setTimeout(() => progress(say.working), 1500);
        try {
            await this.open.register({ username, password, displayName: name, code, proof, deviceName: device() });
            this.isNew = name.trim() === "";
            this.changed();
        } finally {
            clearTimeout(late);
        }
    }

    async registrationPage() { return await this.open.registrationPage() ?? ""; }
    async signOut(discardingUnsent: boolean) {
        await this.open.signOut({ discardingUnsent });
        drafts.clear();
        await import("./subscribed").then(({ unsubscribe }) => unsubscribe()).catch(() => undefined);
    }

    async search(text: string) {
        const users = await this.open.searchUsers(text, { isPicker: true, limit: 20 });
        for (const user of users) this.people.set(user.id, user);
        return users.map(personOf);
    }

    async user(id: string): Promise<sdk.User> {
        const user = this.people.get(id) ?? (await this.open.users([id]))[0];
        if (!user) throw new Error(say.personGone);
        this.people.set(id, user);
        return user;
    }

    async person(id: string) { return personOf(await this.user(id)); }
    async start(person: Person) { return (await this.open.startConversation(await this.user(person.id))).id; }

    watch(people: readonly string[]) { void this.parley?.watchPresence(people).catch(() => undefined); }
    look(isVisible: boolean, conversation: string) { this.parley?.setActivity(isVisible, conversation); }
}

/** Answers other tabs also what only a part that loads later asks. */
function answerAll(parley: sdk.Parley) {
    const transmit = parley.transmitFor.bind(parley);
    parley.transmitFor = async (method, key, body) => {
        if (!(method in methods)) await import("./parts");
        return transmit(method, key, body);
    };
}

/** What parts that load later need of the SDK. */
export const parleyOf = (chat: Chat) => (chat as KitChat).open;
export const ownOf = (conversation: Conversation) => (conversation as KitConversation).own;
export const kitOf = (chat: Chat) => chat as KitChat;

/** How the person recognizes this browser among their devices. */
export function device(): string {
    const agent = navigator.userAgent;
    const browser = /Edg|Firefox|Chrome|Safari/.exec(agent)?.[0]?.replace("Edg", "Edge") ?? "Browser";
    const system = /Windows|Android|iPhone|iPad|Mac OS|Linux/.exec(agent)?.[0];
    return system ? say.deviceName(browser, system) : browser;
}

/** Opens the chat of this browser with a server. */
export function open(url: string): Chat {
    return new KitChat(url);
}
