import type * as wire from "../protocol/generated/messages";
import { KeyedKind, keyedKinds } from "../protocol/generated/states";
import type { StoreEffect } from "../store/batch";
import type { Place, Summary } from "../store/summary";
import type { Committed } from "./committer";
import { DeliveredMarks } from "./delivered";
import { decisionOf, eventOf, Decision, Event, Reminder, Suggestion, reminderOf, suggestionOf } from "./entities";
import type { ConversationList } from "./list";
import { together } from "./observable";
import type { Parley } from "./parley";
import { Profile, User, presenceOf, profileOf, userOf } from "./values";

/** What the server has said of what has no order. */
interface Confirmed {
    profile?: Profile;
    blocked: readonly User[];
    reminders: readonly Reminder[];
    decisions: readonly Decision[];
    events: readonly Event[];
    suggestions: readonly Suggestion[];
}

const nothing = (): Confirmed => ({ blocked: [], reminders: [], decisions: [], events: [], suggestions: [] });

const names: Record<string, wire.ConversationSection> = {
    inbox: "INBOX", requests: "REQUESTS", blocked: "BLOCKED_PEOPLE", left: "LEFT",
};

/** Shows what the store has. */
export class Screen {
    private confirmed = nothing();
    /** What has no order is read from the store one after the other. */
    private reloading: Promise<void> = Promise.resolve();
    private showing: Promise<void> | undefined;
    private mustShowAgain = false;
    readonly delivered: DeliveredMarks;

    constructor(private readonly parley: Parley) {
        this.delivered = new DeliveredMarks(parley);
    }

    forget(): void {
        this.delivered.stop();
        this.confirmed = nothing();
    }

    /** Shows the first screen of the account. */
    async open(): Promise<void> {
        const { parley } = this;
        await Promise.all([
            ...[parley.inbox, parley.requests].map((list) => this.loadPage(list, undefined)),
            ...keyedKinds.map((kind) => this.reload(kind)),
        ]);
        await parley.outbox.reload();
    }

    async loadPage(list: ConversationList, after: Place | undefined): Promise<void> {
        const { account, options, outbox, view } = this.parley;
        if (!account) return;
        const { me, nowUs } = account;
        const limit = options.pageSize;
        const page = await this.parley.read(async (rows) => {
            const [found, drafts] = await Promise.all([
                rows.list(String(names[list.section]), list.isArchived, after, limit + 1, me, nowUs), rows.drafts(),
            ]);
            return found.map((summary): Summary => ({ ...summary, draft: drafts.get(summary.id) ?? "", isWhole: true }));
        });
        if (!page) return;
        together(() => {
            const shown = page.slice(0, limit).map((summary) => outbox.overlaidSummary(summary));
            for (const summary of shown) view.take(summary);
            const listed = shown.filter((summary) => list.has(summary))
                .map((summary) => [view.conversation(summary.id), summary.place] as const);
            const end = page[Math.min(limit, page.length) - 1]?.place;
            list.show(listed.map(([conversation, place]) => [conversation, place]), end, page.length > limit);
            // What I did may have moved others here.
            for (const summary of outbox.overlaidSummaries) list.take(summary, view.conversation(summary.id));
        });
    }

    async reload(kind: KeyedKind): Promise<void> {
        const found = await this.parley.read((rows) => rows.states(kind));
        if (!found) return;
        switch (kind) {
            case "Profile": {
                const [profile] = found as wire.Profile[];
                this.confirmed.profile = profile && profileOf(profile);
                break;
            }
            case "RequestCount": {
                const [count] = found as wire.RequestCount[];
                this.parley.set({ requestCount: { total: count?.total ?? 0, unread: count?.unread ?? 0 } });
                return;
            }
            case "Block": this.confirmed.blocked = (found as wire.Block[]).map((block) => userOf(block.user)); break;
            case "Reminder": this.confirmed.reminders = (found as wire.Reminder[]).map(reminderOf); break;
            case "Decision": this.confirmed.decisions = (found as wire.Decision[]).map(decisionOf); break;
            case "Event": this.confirmed.events = (found as wire.Event[]).map(eventOf); break;
            case "Suggestion": this.confirmed.suggestions = (found as wire.Suggestion[]).map(suggestionOf); break;
        }
        this.show(kind);
    }

    /** Shows what has no order, with what I did on top. */
    show(kind: KeyedKind): void {
        const { outbox } = this.parley;
        const { confirmed } = this;
        switch (kind) {
            case "Profile":
                return this.parley.set({ profile: confirmed.profile && outbox.overlaidProfile(confirmed.profile) });
            case "Block":
                return this.parley.set({
                    blocked: outbox.overlaidBlocked(confirmed.blocked, (guess) => userOf(guess?.members[0]?.user)),
                });
            case "Reminder": {
                const shown = [...outbox.overlaidList(kind, confirmed.reminders)];
                return this.parley.set({ reminders: shown.sort((one, other) => byTime(one.dueAt, other.dueAt, one, other)) });
            }
            case "Decision": {
                const shown = [...outbox.overlaidList(kind, confirmed.decisions)];
                return this.parley.set({
                    decisions: shown.sort((one, other) => -byTime(one.createdAt, other.createdAt, one, other)),
                });
            }
            case "Event": {
                const shown = [...outbox.overlaidList(kind, confirmed.events)];
                return this.parley.set({
                    events: shown.sort((one, other) => byTime(one.startsAt, other.startsAt, one, other)),
                });
            }
            case "Suggestion": {
                const now = this.parley.nowUs / 1000;
                const shown = outbox.overlaidList(kind, confirmed.suggestions)
                    .filter((suggestion) => suggestion.expiresAt.getTime() > now);
                return this.parley.set({
                    suggestions: [...shown].sort((one, other) => -byTime(one.createdAt, other.createdAt, one, other)),
                });
            }
            case "RequestCount": return;
        }
    }

    // MARK: What was stored

    /** Shows what a commit changed. */
    take(committed: Committed): void {
        const { parley } = this;
        const { view, reader, account } = parley;
        const kinds = new Set<KeyedKind>();
        const sent: Extract<StoreEffect, { type: "sent" }>[] = [];
        const again = new Set<string>();
        together(() => {
            for (const effect of committed.effects) {
                switch (effect.type) {
                    case "message": {
                        const { message } = effect;
                        view.upsert(message);
                        if (view.conversations.get(message.conversation)?.isOpenAndEmpty) again.add(message.conversation);
                        break;
                    }
                    case "receipt": view.setReceipt(effect.receipt, effect.user, effect.conversation); break;
                    case "readCount": view.takeReadCount(effect.count); break;
                    case "droppedReceipts":
                        view.dropReceipts(effect.conversation);
                        this.delivered.forget(effect.conversation);
                        break;
                    case "cleared": view.clear(effect.conversation, effect.upTo); break;
                    case "droppedMessages":
                        // If they were shown, they are shown again once they are read.
                        if (view.conversations.get(effect.conversation)?.loaded.isEmpty === false) again.add(effect.conversation);
                        view.dropMessages(effect.conversation);
                        break;
                    case "dropped": view.drop(effect.conversation); break;
                    case "summary":
                        this.takeSummary(effect.summary);
                        this.delivered.note(effect.summary);
                        break;
                    case "gap": {
                        const { conversation } = effect;
                        const isOpen = view.conversations.get(conversation)?.isLoaded ?? false;
                        if (reader.isLoading(conversation) || isOpen) again.add(conversation);
                        break;
                    }
                    case "sent": sent.push(effect); break;
                    case "states": kinds.add(effect.kind); break;
                }
            }
            this.takeNews(committed);
            this.showSent(sent.filter((effect) => !parley.outbox.isShownLater(effect.id)));
        });
        for (const id of again) void reader.load(id, true);
        this.reloadLater([...kinds], sent.filter((effect) => parley.outbox.isShownLater(effect.id)));
        if (committed.doubtful.length > 0) account?.engine?.recount(committed.doubtful);
        if (committed.isConfirmed) this.confirm();
        parley.outbox.sender.drain();
    }

    /** Shows who is online and who is typing. */
    takeNews({ presence, typing, ownPresence }: Pick<Committed, "presence" | "typing" | "ownPresence">): void {
        const { parley } = this;
        if (presence.length > 0) {
            const known = new Map(parley.presence);
            for (const state of presence) known.set(state.user, presenceOf(state));
            parley.set({ presence: known });
        }
        for (const [id, users] of typing) parley.view.setTyping(users, id);
        for (const state of ownPresence) parley.showOwnPresence(state);
    }

    /** Reads what has no order, then shows without a guess what the server has now. */
    private reloadLater(kinds: readonly KeyedKind[], sent: readonly Extract<StoreEffect, { type: "sent" }>[]): void {
        if (kinds.length === 0 && sent.length === 0) return;
        this.reloading = this.reloading.then(async () => {
            for (const kind of kinds) await this.reload(kind);
            together(() => this.showSent(sent));
            this.parley.outbox.sender.drain();
        });
    }

    private showSent(sent: readonly Extract<StoreEffect, { type: "sent" }>[]): void {
        for (const { id, message, seq } of sent) this.parley.outbox.sent(id, message, seq);
    }

    private confirm(): void {
        const { parley } = this;
        together(() => {
            parley.set({ isFromCache: false });
            for (const list of parley.lists) list.confirm();
            parley.view.confirm();
        });
        for (const conversation of parley.view.conversations.values()) {
            if (conversation.isOpenAndEmpty) void parley.reader.load(conversation.id, true);
        }
    }

    private takeSummary(summary: Summary): void {
        const known = this.parley.view.conversations.get(summary.id);
        if (summary.facts || known?.hasFacts || summary.section === undefined) return this.showSummary(summary);
        // Nothing was shown of it yet: what lists show of it is read as a whole.
        void this.refresh(summary.id);
    }

    /** Shows a conversation where it belongs, with what I did on top. */
    showSummary(summary: Summary): void {
        const { view, outbox, lists } = this.parley;
        together(() => {
            const shown = outbox.overlaidSummary(summary);
            view.take(shown);
            for (const list of lists) list.take(shown, view.conversation(shown.id));
        });
    }

    /** Returns what is shown of a conversation. */
    summaryOf(id: string): Summary {
        const conversation = this.parley.view.conversation(id);
        const newest = conversation.lastMessage?.sentAt ?? conversation.createdAt;
        let place: Place | undefined;
        for (const list of this.parley.lists) place ??= list.placeOf(id);
        return {
            id, facts: conversation.facts, own: conversation.own, last: conversation.newestStored,
            section: conversation.section, syncStatus: "synced",
            place: place ?? { pinnedAt: conversation.own.pinnedAt, activeAt: newest.getTime() * 1000, id },
        };
    }

    async refresh(id: string): Promise<void> {
        const { account } = this.parley;
        if (!account) return;
        const summary = await this.parley.read((rows) => rows.summary(id, account.me, account.nowUs));
        if (summary) this.showSummary(summary);
    }

    /** Reads anew what is shown: by a wrong clock some of it was hidden. */
    showAgain(): void {
        const { view, reader } = this.parley;
        for (const { id, isLoaded } of [...view.conversations.values()]) {
            view.dropMessages(id);
            void this.refresh(id);
            if (isLoaded) void reader.load(id, true);
        }
        this.reloadLater(keyedKinds, []);
    }

    // MARK: Another tab

    /** Shows what another tab has stored, together with all that it stores meanwhile. */
    async showChanges(): Promise<void> {
        this.mustShowAgain = true;
        this.showing ??= (async () => {
            while (this.mustShowAgain) {
                this.mustShowAgain = false;
                await this.showChangesNow();
            }
            this.showing = undefined;
        })();
        await this.showing;
    }

    private async showChangesNow(): Promise<void> {
        const { account, view, reader } = this.parley;
        if (!account) return;
        const changed = await this.parley.read((rows) => rows.changedSince(account.seenVersion));
        if (!changed || account !== this.parley.account) return;
        account.seenVersion = changed.version;
        for (const id of changed.conversations) {
            await this.refresh(id);
            if (view.conversations.get(id)?.isLoaded) await reader.load(id, true);
        }
        for (const kind of keyedKinds) await this.reload(kind);
        await this.parley.outbox.reload();
    }
}

function byTime(one: Date | undefined, other: Date | undefined, of: { id: string }, to: { id: string }): number {
    return (one?.getTime() ?? 0) - (other?.getTime() ?? 0) || (of.id < to.id ? -1 : of.id > to.id ? 1 : 0);
}

