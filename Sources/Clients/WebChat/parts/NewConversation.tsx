import { useState } from "react";
import { Avatar } from "../Avatar";
import { Dialog } from "../Dialog";
import { say } from "../english/parts";
import { useTask } from "../hooks";
import { kitOf } from "../kit";
import type { Chat, Person } from "../model";
import type { Go } from "../shown";
import { exactly } from "./ask";
import { Line } from "./Form";
import { useAnswer } from "./Loaded";
import { Chosen, Picker } from "./Picker";

/** Finds somebody and opens the conversation with them, or chooses several people for a group. */
export function NewConversation({ chat, close, go }: { chat: Chat; close: () => void; go: Go }) {
    const [isGroup, setGroup] = useState(false);
    const task = useTask();
    const start = (person: Person) => task.run(async () => go(await chat.start(person)));
    if (isGroup) return <NewGroup chat={chat} close={close} go={go} />;
    return (
        <Dialog title={say.newConversation} close={close}>
            {task.problem && <p className="refused" role="alert">{task.problem}</p>}
            <Picker chat={chat} leftOut={[]} choose={start} isBusy={task.isBusy} />
            <div className="actions">
                <button type="button" onClick={() => setGroup(true)}>{say.newGroup}</button>
                {chat.me && <button type="button" onClick={() => start(chat.me!)}>{say.notesToYourself}</button>}
            </div>
        </Dialog>
    );
}

/** While people are added, it says with which conversation one already has exactly them. */
function NewGroup({ chat, close, go }: { chat: Chat; close: () => void; go: Go }) {
    const [people, setPeople] = useState<readonly Person[]>([]);
    const [name, setName] = useState("");
    const task = useTask();
    const ids = people.map(({ id }) => id);
    const same = useAnswer(() => people.length > 0 ? exactly(chat, people) : Promise.resolve(""), [ids.join()]);
    const known = same.value ? chat.conversation(same.value) : null;
    const create = () => task.run(async () => {
        const kit = kitOf(chat);
        const users = await Promise.all(ids.map((id) => kit.user(id)));
        go((await kit.open.createGroup(name.trim(), users)).id);
    });
    return (
        <Dialog title={say.newGroup} close={close}>
            <form aria-label={say.newGroup} onSubmit={(event) => {
                event.preventDefault();
                if (people.length > 0 && !task.isBusy) create();
            }}>
                <Line label={say.nameOfTheGroup} value={name} set={setName} refused={task.field === "name"}
                    hint={say.groupNameHint} />
                <Chosen people={people} remove={(person) => setPeople(people.filter((each) => each !== person))} />
                <Picker chat={chat} leftOut={[...ids, chat.me?.id ?? ""]} isMany
                    choose={(person) => setPeople((old) => [...old, person])} />
                {known && <section className="same" aria-label={say.sameConversation}>
                    <p className="hint">{say.sameConversationHint}</p>
                    <button type="button" className="row" onClick={() => go(known.id)}>
                        <Avatar id={known.other?.id ?? known.id} name={known.title} isGroup={known.isGroup} />
                        <span className="text"><bdi className="title">{known.title}</bdi></span>
                    </button>
                </section>}
                {task.problem && <p className="refused" role="alert">{task.problem}</p>}
                <p className="hint">{say.invitedHint}</p>
                <div className="actions">
                    <button type="submit" className="primary" disabled={people.length === 0 || task.isBusy}>
                        {say.createGroup}</button>
                </div>
            </form>
        </Dialog>
    );
}
