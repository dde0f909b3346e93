import { useState } from "react";
import type { Decision } from "../../Web/api/index";
import { Refused } from "../cards";
import { say } from "../english/parts";
import { useTask } from "../hooks";
import { DecisionIcon } from "../icons";
import { parleyOf } from "../kit";
import type { Chat } from "../model";
import { momentText } from "../moments";
import type { Go } from "../shown";
import { Sure } from "./Form";

/** What the person recorded, the latest first: also what only they see. */
export function Decisions({ chat, go }: { chat: Chat; go: Go }) {
    const [most, setMost] = useState(20);
    const { decisions } = parleyOf(chat);
    if (decisions.length === 0) return null;
    return (
        <section aria-label={say.decisionsYouRecorded}>
            <h3 className="part">{say.decisionsYouRecorded}</h3>
            <ul className="agenda">{decisions.slice(0, most).map((decision) => <li key={decision.id}>
                <OwnDecision chat={chat} decision={decision} go={go} />
            </li>)}</ul>
            {decisions.length > most && <div className="actions start">
                <button type="button" onClick={() => setMost(most + 50)}>{say.showMore}</button>
            </div>}
        </section>
    );
}

function OwnDecision({ chat, decision, go }: { chat: Chat; decision: Decision; go: Go }) {
    const { id, text, createdAt, isShared, conversation, supersededBy } = decision;
    const [isAsked, setAsked] = useState(false);
    const task = useTask();
    const remove = () => task.run(() => parleyOf(chat).deleteDecision(id));
    return (
        <section className={supersededBy ? "card off" : "card"} aria-label={say.decisionOf(text)}>
            <header><DecisionIcon /><h4><bdi>{text}</bdi></h4></header>
            <p><time dateTime={createdAt.toISOString()}>
                {momentText({ at: createdAt.getTime(), isWholeDay: false, minutes: 0 })}</time></p>
            {!isShared && <p className="hint">{say.onlyYouSeeIt}</p>}
            {isAsked
                ? <Sure name={say.deleteDecision} question={say.deleteDecisionMeans} isBusy={task.isBusy} act={remove}
                    cancel={() => setAsked(false)} />
                : <div className="answers" role="group" aria-label={say.whatToDoWithIt}>
                    {conversation && <button type="button" onClick={() => go(conversation)}>{say.show}</button>}
                    <button type="button" className="danger" onClick={isShared ? () => setAsked(true) : remove}>
                        {say.delete}</button>
                </div>}
            <Refused chat={chat} of={decision} />
            {task.problem && <p className="refused" role="alert">{task.problem}</p>}
        </section>
    );
}
