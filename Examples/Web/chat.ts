// A page that signs in, shows the conversations, and writes, also without a connection. Its server is in its address:
// chat.html?ws://127.0.0.1:8080
import { Conversation, Parley, Refusal } from "parley-web";

const at = <E extends HTMLElement>(id: string) => document.getElementById(id) as E;
const parley = await Parley.open(decodeURIComponent(location.search.slice(1)), { name: "example 1.0" });
let open: { chat: Conversation; stop: () => void } | undefined;

function show(list: HTMLElement, rows: readonly { text: string; act?: () => void }[]): void {
    list.replaceChildren(...rows.map(({ text, act }) => {
        const row = document.createElement("li");
        row.textContent = text;
        row.onclick = act ?? null;
        return row;
    }));
}

function showInbox(): void {
    const problem = parley.storageProblem ?? parley.problem;
    at("state").textContent = `${parley.connection}, ${parley.unsent.length} unsent ${problem?.message ?? ""}`;
    at("enter").hidden = parley.user !== undefined;
    const asked = parley.requests.conversations.map((chat) => ({ text: `Accept ${chat.title}`, act: () => void chat.accept() }));
    const chats = parley.inbox.conversations.map((chat) => ({
        text: `${chat.title} (${chat.unread.messages}): ${chat.lastMessage?.text ?? ""}`, act: () => openChat(chat),
    }));
    show(at("inbox"), [...asked, ...chats]);
}

function openChat(chat: Conversation): void {
    open?.stop();
    const showMessages = () => {
        show(at("messages"), chat.messages.map(({ text, syncStatus }) => ({ text: `${text} ${syncStatus}` })));
        void chat.markRead();
    };
    open = { chat, stop: chat.subscribe(showMessages) };
    void parley.conversation(chat.id).load().then(showMessages);
}

/** Does what a form says, and says what failed. */
function on(form: string, act: (fields: FormData) => Promise<unknown>): void {
    at<HTMLFormElement>(form).onsubmit = (event) => {
        event.preventDefault();
        act(new FormData(at<HTMLFormElement>(form))).then(() => at<HTMLFormElement>(form).reset(), (error: unknown) => {
            at("state").textContent = error instanceof Refusal ? error.message : String(error);
        });
    };
}

on("enter", (fields) => parley.signIn(String(fields.get("name")), String(fields.get("password"))));
on("find", async (fields) => openChat(await parley.startConversation(await parley.findUser(String(fields.get("name"))))));
on("write", async (fields) => open?.chat.send(String(fields.get("text"))));
for (const shown of [parley, parley.inbox, parley.requests]) shown.subscribe(showInbox);
parley.onChange(() => showInbox());
showInbox();
