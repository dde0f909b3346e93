import { useState } from "react";
import type { PushSettings } from "../../Web/api/index";
import { say } from "../english/parts";
import { useTask } from "../hooks";
import type { Chat } from "../model";
import { noticeState, setNotices } from "../notices";
import type { NoticeState } from "../notices";
import { Pick } from "./Form";
import { Loaded, useAnswer } from "./Loaded";
import { pushState, pushesOf, turnPushesOff, turnPushesOn } from "./pushes";
import type { PushState } from "./pushes";

const noticesSaid: Record<NoticeState, string> = {
    on: say.noticesOn,
    off: say.noticesOff,
    refused: say.noticesRefused,
    impossible: say.noticesImpossible,
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
        <section aria-label={say.notices}>
            <h3 className="part">{say.notices}</h3>
            <p className="hint">{noticesSaid[state]}</p>
            {(state === "on" || state === "off") && <div className="actions start">
                <button type="button" onClick={() => set(state === "off")}>
                    {state === "on" ? say.turnNoticesOff : say.turnNoticesOn}</button>
            </div>}
            <WhileClosed chat={chat} />
        </section>
    );
}

const closedSaid: Record<PushState, string> = {
    on: say.pushesOn,
    off: say.pushesOff,
    refused: say.pushesRefused,
    noBrowser: say.pushesNoBrowser,
    noServer: say.pushesNoServer,
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
                {say.whileClosed}</label>}
            {state === "on" && <Told chat={chat} />}
        </>}</Loaded>
        {task.problem && <p className="refused" role="alert">{task.problem}</p>}
    </>;
}

type Wish = "reactions" | "requests" | "reminders" | "events";
const wishes: readonly (readonly [Wish, string])[] = [
    ["requests", say.requestsAndInvitations], ["reactions", say.yourReactions],
    ["reminders", say.reminders], ["events", say.eventsThatBeginOrChange],
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
            <Pick label={say.tellMeOf} value={settings.level} isDisabled={task.isBusy} hint={say.onAllYourDevices}
                choices={[["all", say.allMessages], ["mentions", say.mentionsAndAnswers], ["none", say.noMessages]]}
                set={(value) => set({ level: value as PushSettings["level"] })} />
            <Pick label={say.aNoticeSays} value={settings.content} isDisabled={task.isBusy}
                choices={[
                    ["fullText", say.whoWroteAndWhat], ["names", say.whoWrote], ["none", say.thatSomethingIsNew],
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
            })}>{say.sendANoticeToTry}</button>
        </div>
        {isTested && <p className="hint" role="status">{say.itIsOnItsWay}</p>}
        {task.problem && <p className="refused" role="alert">{task.problem}</p>}
    </>;
}
