import { together } from "../api/observable";
import type { Account } from "../api/account";
import type { Parley } from "../api/parley";
import { Refusal, refusalOf } from "../api/refusal";
import type { Entry, Outbox } from "./outbox";
import {
    UnsentRow, action, answers, changedMessage, creates, depends, failureOf, isKnown, messageOfItem, mustRenew, patched,
    resolved, sending, sends, withoutReply,
} from "./item";
import { uploadFile } from "./uploads";
import { IDs } from "./uuid";

/** The most requests under way. */
const underWayMax = 8;
/** The most uploads under way. */
const uploadsMax = 2;
/** How often a failure inside of the server is tried again before it counts as a refusal. */
const internalFailuresMax = 5;
/** How often the server may have lost a file that was uploaded. */
const lossesMax = 3;

/** Sends what waits, one thing after another in each lane. */
export class Sender {
    private readonly underWay = new Set<string>();
    private readonly uploads = new Map<string, AbortController>();
    /** When a lane is tried again, and how often it failed in a row. */
    private readonly pauses = new Map<string, { until: number; count: number }>();
    private alarm: ReturnType<typeof setTimeout> | undefined;

    constructor(private readonly parley: Parley, private readonly outbox: Outbox) {}

    /** Whether what is done now is sent at once. */
    get isSending(): boolean {
        const { account, connection } = this.parley;
        if (connection !== "online" || !account || !this.parley.isSessionOfAccount) return false;
        return account.isLeading && account.engine !== undefined;
    }

    /** Whether what is done now in a lane waits for nothing else. What waits may get a new id until it is tried. */
    sendsAtOnce(lane: string): boolean {
        const isPaused = (this.pauses.get(lane)?.until ?? 0) > Date.now();
        return this.isSending && !isPaused && this.underWay.size < underWayMax && !this.outbox.isBusy(lane);
    }

    /** Sends what may be sent. */
    drain(): void {
        const { account } = this.parley;
        if (!this.isSending || !account) return;
        this.startUploads(account);
        const busy = new Set<string>();
        // What was refused, and what this version does not know.
        const resting: UnsentRow[] = [];
        // What creates something that others may name, in lanes of their own.
        const creating: UnsentRow[] = [];
        const now = Date.now();
        let next = Infinity;
        for (const entry of [...this.outbox.entries]) {
            const { item } = entry;
            if (this.underWay.size >= underWayMax) break;
            if (busy.has(item.lane)) continue;
            // What depends on them waits until they are sent or dropped.
            if (entry.state === "failed" || !isKnown(item) || resting.some((earlier) => depends(item, earlier))) {
                resting.push(item);
                continue;
            }
            busy.add(item.lane);
            if (creates(item)) creating.push(item);
            if (entry.state !== "waiting" || !entry.isUploaded) continue;
            const pause = this.pauses.get(item.lane)?.until ?? 0;
            if (pause > now) next = Math.min(next, pause);
            else if (!creating.some((earlier) => depends(item, earlier))) this.start(entry, account);
        }
        if (next < Infinity) this.wakeAt(next);
    }

    private wakeAt(time: number): void {
        clearTimeout(this.alarm);
        this.alarm = setTimeout(() => this.drain(), Math.max(0, time - Date.now()));
    }

    private start(entry: Entry, account: Account): void {
        entry.state = "underWay";
        this.outbox.changes += 1;
        const { id } = entry.item;
        this.underWay.add(id);
        void this.send(entry.item, account).catch((error: unknown) => this.pause(entry.item, refusalOf(error))).then(() => {
            this.underWay.delete(id);
            if (account === this.parley.account) this.drain();
        });
    }

    private async send(stored: UnsentRow, account: Account): Promise<void> {
        let item = stored;
        if (mustRenew(item, account.nowUs) && !item.wasTried) item = await this.renewed(item);
        if (!item.wasTried) {
            item = { ...item, wasTried: true };
            const tried = item;
            if (!this.outbox.find(tried.id)) return;
            await account.store.write((rows) => rows.putUnsent(tried));
            this.outbox.replace(tried);
        }
        try {
            const answer = await this.parley.transmit(item);
            if (account !== this.parley.account) return;
            this.pauses.delete(item.lane);
            await account.engine?.confirm(answer.confirmation);
            // Otherwise it is asked again after the next start, which changes nothing.
            if (account !== this.parley.account) return;
            await account.committer.flush([
                { type: "sent", id: item.id, lane: item.lane, message: sends(item) ?? answer.about, seq: answer.seq },
            ]);
        } catch (error) {
            if (account === this.parley.account) await this.failed(item, refusalOf(error), account);
        }
    }

    private async failed(item: UnsentRow, error: Refusal, account: Account): Promise<void> {
        const count = this.pauses.get(item.lane)?.count ?? 0;
        const isInternal = error.code === "internal" && count < internalFailuresMax;
        const hasNoSession = ["closed", "cancelled", "unauthenticated", "revoked"].includes(error.code);
        if (error.isRetriable || isInternal || hasNoSession) return this.pause(item, error);
        // The server never took an id from the future, so that a new one makes no second message.
        if (error.code === "id_from_future" && sends(item) !== undefined) {
            this.outbox.replace(await this.renewed(item), { state: "waiting" });
            return;
        }
        if (this.mustUploadAgain(item, error)) return;
        if (action(item)?.dropsRefusals) return this.dropAll([item]);
        const { code, message, field } = error;
        const refused = { ...item, failure: { code, message, field } };
        // What answers it need not wait for it.
        const alone = this.withoutReferenceTo([refused]);
        await account.store.write((rows) => {
            for (const row of [refused, ...alone]) rows.putUnsent(row);
        });
        together(() => {
            this.outbox.replace(refused, { state: "failed" });
            this.outbox.show(refused);
            this.replaceAll(alone);
            this.parley.noteUnsent();
        });
    }

    private pause(item: UnsentRow, { retryAfterMs }: Refusal): void {
        const count = this.pauses.get(item.lane)?.count ?? 0;
        // Not as long as others that are tried again: somebody may look at what they wrote.
        const wait = retryAfterMs + Math.random() * Math.min(10_000, 200 * 2 ** count);
        this.pauses.set(item.lane, { until: Date.now() + wait, count: count + 1 });
        const entry = this.outbox.find(item.id);
        if (entry?.state === "underWay") entry.state = "waiting";
    }

    /** Tries everything again at once: there is a connection. */
    hurry(): void {
        this.pauses.clear();
        this.drain();
    }

    close(): void {
        clearTimeout(this.alarm);
        this.pauseUploads();
        this.underWay.clear();
        this.pauses.clear();
    }

    /** Gives a message a new id, because the server no longer takes the old one, or not yet. */
    async renewed(item: UnsentRow): Promise<UnsentRow> {
        const request = sending(item);
        const { account, me } = this.parley;
        if (!request || !account || me === undefined) return item;
        // Not above all others here, which may be of a clock that was ahead. The item's own id keeps the order.
        const ids = new IDs();
        const id = ids.next(account.nowUs);
        const media = request.media && { attachment: ids.next(account.nowUs) };
        const renewed = patched(item, media ? { id, media } : { id });
        const changed = [renewed, ...this.outbox.entries.map((entry) => entry.item)
            .filter((other) => other.lane === item.lane && other.target === request.id && other.id !== item.id)
            .map((other) => ({ ...other, target: id }))];
        await account.store.write((rows) => {
            for (const row of changed) rows.putUnsent(row);
        });
        together(() => {
            for (const row of changed) {
                this.outbox.replace(row, row.file === undefined ? {} : { isUploaded: false, uploaded: 0 });
            }
            const message = messageOfItem(renewed, me);
            if (message) this.parley.view.renew(request.id, this.outbox.overlaid(message));
            this.parley.noteUnsent();
        });
        return renewed;
    }

    // MARK: After a refusal

    /** Sends something again that was refused. */
    async retry(id: string): Promise<void> {
        const entry = this.outbox.find(id);
        const { account } = this.parley;
        if (!account || entry?.state !== "failed") return;
        const code = failureOf(entry.item)?.code;
        // The person has seen what others changed, and wants this all the same.
        const seen = code === "event_changed" && this.parley.events.find((event) => event.id === entry.item.lane);
        const item = seen ? resolved(entry.item, seen.version) : entry.item;
        const again = { ...item, failure: undefined, wasTried: item.wasTried && code !== "id_too_old" };
        await account.store.write((rows) => rows.putUnsent(again));
        this.pauses.delete(again.lane);
        together(() => {
            this.outbox.replace(again, { state: "waiting" });
            this.outbox.show(again);
            this.parley.noteUnsent();
        });
        account.tellUnsent();
        this.drain();
    }

    /** Drops something that is not under way, with all that depends on it. */
    async drop(id: string): Promise<void> {
        const entry = this.outbox.find(id);
        if (!entry) return;
        const { account } = this.parley;
        if (account && !account.isLeading) {
            // The tab that leads knows what is under way.
            await this.parley.askToDrop(id);
            return;
        }
        if (entry.state !== "waiting" && entry.state !== "failed") {
            throw new Refusal("invalid", "It is being sent right now. Delete it once it is sent.");
        }
        await this.dropAll(this.dependents(entry.item));
    }

    /** Returns an item with all that makes no sense without it. A message that answers it does. */
    private dependents(item: UnsentRow): UnsentRow[] {
        const found = [item];
        for (const { item: other } of this.outbox.entries) {
            if (found.some((it) => depends(other, it) && (creates(it) || !answers(other, it)))) found.push(other);
        }
        return found;
    }

    private async dropAll(items: readonly UnsentRow[]): Promise<void> {
        const { account } = this.parley;
        if (!account) return;
        const alone = this.withoutReferenceTo(items);
        // Nothing of it is sent from now on.
        const before = items.map(({ id }) => this.outbox.find(id)).map((entry) => ({ entry, state: entry?.state }));
        for (const { entry } of before) if (entry) entry.state = "dropping";
        await account.store.write((rows) => {
            for (const item of items) {
                rows.removeUnsent(item.id);
                if (item.file !== undefined) rows.removeFile(item.file);
            }
            for (const row of alone) rows.putUnsent(row);
        }).catch((error: unknown) => {
            for (const { entry, state } of before) if (entry && state) entry.state = state;
            throw error;
        });
        together(() => {
            for (const { id } of items) this.uploads.get(id)?.abort();
            this.outbox.forget(items.map(({ id }) => id));
            this.replaceAll(alone);
        });
        account.tellUnsent();
        this.drain();
    }

    /** Returns what answers messages that will not be sent, as messages that answer nothing. */
    private withoutReferenceTo(items: readonly UnsentRow[]): UnsentRow[] {
        const ids = new Set(items.map(({ id }) => id));
        return this.outbox.entries.map((entry) => entry.item)
            .filter((item) => !ids.has(item.id) && items.some((it) => answers(item, it))).map(withoutReply);
    }

    private replaceAll(items: readonly UnsentRow[]): void {
        for (const item of items) {
            this.outbox.replace(item);
            this.outbox.show(item);
        }
    }

    // MARK: Files

    /** Begins the uploads that may begin: after what creates the conversation, or lets me write there. */
    private startUploads(account: Account): void {
        const now = Date.now();
        const blocked = new Set<string>();
        for (const entry of this.outbox.entries) {
            if (this.uploads.size >= uploadsMax) return;
            const { item } = entry;
            const isOfMessage = sends(item) !== undefined || changedMessage(item) !== undefined;
            if (isKnown(item) ? !isOfMessage : creates(item)) blocked.add(item.lane);
            const mayBegin = item.file !== undefined && isKnown(item) && !entry.isUploaded && entry.state === "waiting"
                && !this.uploads.has(item.id) && !blocked.has(item.lane)
                && (this.pauses.get(item.lane)?.until ?? 0) <= now;
            if (!mayBegin) continue;
            const abort = new AbortController();
            this.uploads.set(item.id, abort);
            // What cannot be stored of it either is tried again later.
            const failed = (error: unknown): void => this.pause(item, refusalOf(error));
            void this.upload(item, account, abort.signal).catch(failed).then(() => {
                this.uploads.delete(item.id);
                if (account === this.parley.account) this.drain();
            });
        }
    }

    private async upload(stored: UnsentRow, account: Account, signal: AbortSignal): Promise<void> {
        let item = stored;
        try {
            if (mustRenew(item, account.nowUs)) item = await this.renewed(item);
            const file = await account.store.read((rows) => rows.file(item.file ?? ""));
            if (!file) throw new Refusal("file_failed", "The file is no longer there. Choose it again.");
            await uploadFile(this.parley, item, file, signal, (bytes) => this.noteUploaded(item.id, bytes));
            const entry = this.outbox.find(item.id);
            if (entry) Object.assign(entry, { isUploaded: true, uploaded: file.size });
            this.outbox.show(item);
        } catch (error) {
            if (account === this.parley.account && this.outbox.find(item.id)) {
                await this.failed(item, refusalOf(error), account);
            }
        }
    }

    private noteUploaded(id: string, bytes: number): void {
        const entry = this.outbox.find(id);
        if (!entry || bytes <= entry.uploaded) return;
        entry.uploaded = bytes;
        this.outbox.show(entry.item);
    }

    /** Whether a file that the server no longer has is uploaded again. */
    private mustUploadAgain(item: UnsentRow, { code }: Refusal): boolean {
        const entry = this.outbox.find(item.id);
        if (code !== "attachment_not_found" || item.file === undefined || !entry || entry.losses >= lossesMax) return false;
        Object.assign(entry, { losses: entry.losses + 1, isUploaded: false, uploaded: 0, state: "waiting" });
        return true;
    }

    /** Cancels the uploads. Each goes on where it stopped once there is a connection. */
    pauseUploads(): void {
        for (const abort of this.uploads.values()) abort.abort();
    }
}
