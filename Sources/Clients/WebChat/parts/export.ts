/** Everything that the server keeps of the person and lets them read, in one JSON file. */
import { refusalOf } from "../../Web/api/refusal";
import type { Given } from "../../Web/protocol/codec";
import type { Method, Methods } from "../../Web/protocol/generated/methods";
import { knowWholeContract } from "../../Web/protocol/whole";
import { parleyOf } from "../kit";
import type { Chat } from "../model";

knowWholeContract();

/** How often a request is repeated that the server refuses for a while. */
const attemptsMax = 6;
const pageSize = 200;

/**
 * @param told gets how many messages there are so far.
 * @throws when `signal` ends it, and when the server stays away.
 */
export async function everything(chat: Chat, told: (messages: number) => void, signal: AbortSignal): Promise<Blob> {
    const me = chat.me?.id ?? "";
    const ask = async <M extends Method>(method: M, given: Given<Methods[M]["request"]>, key = me) => {
        for (let attempt = 1; ; attempt++) {
            signal.throwIfAborted();
            try {
                return await parleyOf(chat).ask(method, key, given);
            } catch (error) {
                const { isRetriable, retryAfterMs } = refusalOf(error);
                if (!isRetriable || attempt >= attemptsMax) throw error;
                await new Promise((done) => setTimeout(done, Math.max(retryAfterMs, 500 * attempt)));
            }
        }
    };
    const pages = async <Item>(page: (cursor: string) => Promise<{ items: readonly Item[]; cursor: string }>) => {
        const found: Item[] = [];
        for (let cursor = ""; ;) {
            const { items, cursor: next } = await page(cursor);
            found.push(...items);
            if (next === "" || items.length === 0) return found;
            cursor = next;
        }
    };
    const inbox = async (section: "INBOX" | "REQUESTS", archived: boolean) => await pages(async (cursor) => {
        const reply = await ask("messaging.GetInbox", { section, archived, cursor, limit: pageSize });
        return { items: reply.entries, cursor: reply.more ? reply.cursor : "" };
    });

    const profile = await ask("conversations.GetProfile", {});
    const { devices } = await ask("conversations.ListDevices", {});
    const blocks = await pages(async (cursor) => {
        const reply = await ask("conversations.ListBlocked", { cursor, limit: pageSize });
        return { items: reply.blocks, cursor: reply.more ? reply.cursor : "" };
    });
    const reports = await pages(async (cursor) => {
        const reply = await ask("conversations.ListReports", { cursor, limit: 100 });
        return { items: reply.reports, cursor: reply.cursor };
    });
    const imported = await pages(async (cursor) => {
        const reply = await ask("conversations.ListImported", { cursor, limit: 100 });
        return { items: reply.records, cursor: reply.cursor };
    });
    const reminders = await pages(async (cursor) => {
        const reply = await ask("entities.ListReminders", { cursor, limit: 100 });
        return { items: reply.reminders, cursor: reply.cursor };
    });
    const decisions = await pages(async (cursor) => {
        const reply = await ask("entities.ListDecisions", { cursor, limit: 100 });
        return { items: reply.decisions, cursor: reply.cursor };
    });
    const exported_at = new Date().toISOString();
    const head = { exported_at, profile, devices, blocks, reports, imported, reminders, decisions };
    const parts = [json(head).slice(0, -1), ',"conversations":['];
    let count = 0;
    const listed = [...await inbox("INBOX", false), ...await inbox("INBOX", true), ...await inbox("REQUESTS", false)];
    for (const [number, entry] of listed.entries()) {
        const { conversation } = entry;
        const messages: object[] = [];
        for (let after_seq = 0; ;) {
            let reply;
            try {
                reply = await ask("messaging.GetHistory", { conversation, after_seq, limit: pageSize }, conversation);
            } catch (error) {
                // What the person is only invited to cannot be read yet.
                if (refusalOf(error).code !== "not_member") throw error;
                break;
            }
            messages.push(...reply.messages);
            count += reply.messages.length;
            told(count);
            after_seq = reply.messages[reply.messages.length - 1]?.seq ?? 0;
            if (!reply.more_after || after_seq === 0) break;
        }
        // As text, so that a long history is not held twice as objects.
        parts.push(number > 0 ? "," : "", json({ ...entry, messages }));
    }
    return new Blob([...parts, "]}\n"], { type: "application/json" });
}

function json(value: object): string {
    return JSON.stringify(value, (_, each: unknown) => {
        if (each instanceof Uint8Array) return btoa(String.fromCharCode(...each));
        return typeof each === "bigint" ? String(each) : each;
    });
}
