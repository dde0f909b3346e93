import { useState } from "react";
import type { PushSettings } from "../../Web/api/index";
import { useTask } from "../hooks";
import type { Chat } from "../model";
import { noticeState, setNotices } from "../notices";
import type { NoticeState } from "../notices";
import { Pick } from "./Form";
import { Loaded, useAnswer } from "./Loaded";
import { pushState, pushesOf, turnPushesOff, turnPushesOn } from "./pushes";
import type { PushState } from "./pushes";

const noticesSaid: Record<NoticeState, string> = {
    on: "This browser shows new messages while the page is open and you look elsewhere. None for what is muted.",
    off: "Nothing is shown outside this page. The browser asks you once whether it may.",
    refused: "The browser does not let this page show any. Its settings for this address can change that.",
    impossible: "This browser shows none for pages.",
};

/** What the browser shows outside the page: while it is open, and while it is closed. */
export function Notices({ chat }: { chat: Chat }) {
    const [state, setState] = useState(noticeState);
    const task = useTask();
    const set = (isOn: boolean) => task.run(async () => {
        await setNotices(isOn);
        setState(noticeState());
    });
    return (
        <section aria-label="Notices">
            <h3 className="part">Notices</h3>
            <p className="hint">{noticesSaid[state]}</p>
            {(state === "on" || state === "off") && <div className="actions start">
                <button type="button" onClick={() => set(state === "off")}>
                    {state === "on" ? "Turn notices off" : "Turn notices on"}</button>
            </div>}
            <WhileClosed chat={chat} />
        </section>
    );
}

const closedSaid: Record<PushState, string> = {
    on: "This browser shows what is new also while the page is closed. Its push service learns that something came, "
        + "and not what.",
    off: "While the page is closed, this browser can show what is new. It asks you once whether the page may.",
    refused: "While the page is closed nothing is shown, since the browser does not let this page show any.",
    noBrowser: "While the page is closed nothing is shown: this browser takes no pushes for pages. On an iPhone or "
        + "iPad it does once the page is on the home screen.",
    noServer: "While the page is closed nothing is shown: this server sends no pushes to browsers.",
};

function WhileClosed({ chat }: { chat: Chat }) {
    const answer = useAnswer(() => pushState(chat), []);
    const task = useTask();
    const set = (isOn: boolean) => task.run(async () => {
        try {
            await (isOn ? turnPushesOn(chat) : turnPushesOff(chat));
        } finally {
            answer.again();
        }
    });
    return <>
        <Loaded answer={answer}>{(state) => <>
            <p className="hint">{closedSaid[state]}</p>
            {(state === "on" || state === "off") && <label className="check">
                <input type="checkbox" role="switch" checked={state === "on"} disabled={task.isBusy}
                    onChange={() => set(state === "off")} />{" "}
                Notices while the page is closed</label>}
            {state === "on" && <Told chat={chat} />}
        </>}</Loaded>
        {task.problem && <p className="refused" role="alert">{task.problem}</p>}
    </>;
}

type Wish = "reactions" | "requests" | "reminders" | "events";
const wishes: readonly (readonly [Wish, string])[] = [
    ["requests", "Message requests and invitations"], ["reactions", "Reactions to your messages"],
    ["reminders", "Reminders"], ["events", "Events that begin or change"],
];

/** Of what the person is told, on all their devices. */
function Told({ chat }: { chat: Chat }) {
    const pushes = pushesOf(chat);
    const answer = useAnswer(() => pushes.pushSettings(), []);
    const [isTested, setTested] = useState(false);
    const task = useTask();
    const set = (changes: Partial<PushSettings>) => task.run(async () => {
        await pushes.updatePushSettings(changes);
        answer.again();
    });
    return <>
        <Loaded answer={answer}>{(settings) => <>
            <Pick label="Tell me of" value={settings.level} isDisabled={task.isBusy} hint="On all your devices."
                choices={[["all", "All messages"], ["mentions", "Mentions and answers"], ["none", "No messages"]]}
                set={(value) => set({ level: value as PushSettings["level"] })} />
            <Pick label="A notice says" value={settings.content} isDisabled={task.isBusy}
                choices={[
                    ["fullText", "Who wrote, and what"], ["names", "Who wrote"], ["none", "That something is new"],
                ]}
                set={(value) => set({ content: value as PushSettings["content"] })} />
            {wishes.map(([wish, name]) => <label className="check" key={wish}>
                <input type="checkbox" checked={settings[wish]} disabled={task.isBusy}
                    onChange={() => set({ [wish]: !settings[wish] })} />{" "}
                {name}</label>)}
        </>}</Loaded>
        <div className="actions start">
            <button type="button" disabled={task.isBusy} onClick={() => task.run(async () => {
                await pushes.testPush();
                setTested(true);
            })}>Send a notice to try it</button>
        </div>
        {isTested && <p className="hint" role="status">It is on its way.</p>}
        {task.problem && <p className="refused" role="alert">{task.problem}</p>}
    </>;
}
