import { say } from "./english/shell";
import { useTask } from "./hooks";
import { BellIcon } from "./icons";
import type { Chat } from "./model";

/** Reminders that fired, each until it is done or put off. */
export function Fired({ chat, go }: { chat: Chat; go: (conversation: string) => void }) {
    const task = useTask();
    return (
        <div aria-live="assertive">
            {chat.fired.slice(0, 3).map(({ id, title, conversation }) => (
                <div key={id} className="banner fired" role="group" aria-label={say.reminder(title)}>
                    <BellIcon /><span className="called"><bdi>{title}</bdi></span>
                    <button type="button" onClick={() => task.run(() => chat.complete(id))}>{say.done}</button>
                    <button type="button" onClick={() => task.run(() => chat.snooze(id, 10))}>{say.in10Minutes}</button>
                    <button type="button" onClick={() => task.run(() => chat.snooze(id, 24 * 60))}>
                        {say.tomorrow}</button>
                    {conversation && <button type="button" onClick={() => go(conversation)}>{say.show}</button>}
                </div>
            ))}
            {task.problem && <p className="banner" role="alert">{task.problem}</p>}
        </div>
    );
}
