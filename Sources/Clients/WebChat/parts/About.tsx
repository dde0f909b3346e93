import { useState } from "react";
import { Avatar } from "../Avatar";
import { Dialog } from "../Dialog";
import { say } from "../english/parts";
import { handleOf } from "../handle";
import { useObserved, useTask } from "../hooks";
import { MoreIcon } from "../icons";
import { ownOf, parleyOf } from "../kit";
import { Menu } from "../Menu";
import type { Choice } from "../Menu";
import type { Chat, Conversation, Member, Person } from "../model";
import { lasting } from "../plural";
import type { Go, Show } from "../shown";
import { invited, members } from "./ask";
import { Line, Pick, Sure } from "./Form";
import { Seen } from "./Hiding";
import { Loaded, useAnswer } from "./Loaded";
import { Chosen, Picker, nameOf } from "./Picker";

interface AboutProps {
    chat: Chat;
    conversation: Conversation;
    close: () => void;
    go: Go;
    show: Show;
}

const retentions: readonly (readonly [string, string])[] = [
    ["0", say.never], ["3600", say.afterAnHour], ["86400", say.afterADay], ["604800", say.afterAWeek],
    ["2592000", say.after30Days], ["31536000", say.afterAYear],
];

/** What a conversation is: its people, and what can be changed of it. */
export function About(props: AboutProps) {
    const { conversation, close } = props;
    useObserved(conversation);
    return (
        <Dialog title={conversation.isGroup ? say.aboutTheGroup : say.aboutTheConversation} close={close}>
            <div className="profile">
                <Avatar id={conversation.other?.id ?? conversation.id} name={conversation.title}
                    isGroup={conversation.isGroup} />
                <h3><bdi>{conversation.title}</bdi></h3>
                {conversation.other && <p className="hint">{handleOf(conversation.other)}</p>}
            </div>
            {conversation.isGroup ? <Group {...props} /> : <Direct {...props} />}
        </Dialog>
    );
}

function Direct({ chat, conversation, close, show }: AboutProps) {
    const { other } = conversation;
    const [isSure, setSure] = useState(false);
    const task = useTask();
    return (
        <>
            {conversation.canWrite && <Retention conversation={conversation} />}
            {other && conversation.canWrite && conversation.request === "none" && <Seen chat={chat} other={other} />}
            {task.problem && <p className="refused" role="alert">{task.problem}</p>}
            {other && !isSure && <div className="actions">
                <button type="button" onClick={() => show({ of: "report", person: other, conversation })}>
                    {say.reportAsk}</button>
                <button type="button" className="danger" onClick={() => setSure(true)}>{say.blockAsk}</button>
            </div>}
            {other && isSure && <Sure name={say.blockPerson(nameOf(other))} isBusy={task.isBusy}
                cancel={() => setSure(false)} question={say.blockMeans}
                act={() => task.run(async () => {
                    await conversation.block();
                    close();
                })} />}
        </>
    );
}

/** When messages disappear, which those who may not change it can read, too. */
function Retention({ conversation }: { conversation: Conversation }) {
    const task = useTask();
    const value = String(conversation.retention);
    const choices = retentions.some(([seconds]) => seconds === value)
        ? retentions : [...retentions, [value, say.afterTime(lasting(conversation.retention * 1000))] as const];
    const isAllowed = !conversation.isGroup || conversation.role !== "member";
    return (
        <>
            <Pick label={say.newMessagesDisappear} value={value} choices={choices}
                isDisabled={!isAllowed || task.isBusy}
                hint={isAllowed ? say.retentionHint : say.adminCanChange}
                set={(seconds) => task.run(() => ownOf(conversation).setRetention(Number(seconds)))} />
            {task.problem && <p className="refused" role="alert">{task.problem}</p>}
        </>
    );
}

function Group(props: AboutProps) {
    const { chat, conversation, close } = props;
    const [doing, setDoing] = useState<"" | "add" | "change" | "leave">("");
    const task = useTask();
    const stop = () => setDoing("");
    const isAdmin = conversation.role !== "member";
    const own = ownOf(conversation);
    if (conversation.hasLeft) return <p className="hint">{say.noMemberStays}</p>;
    if (doing === "add") return <Add {...props} stop={stop} />;
    if (doing === "change") return <Change conversation={conversation} stop={stop} />;
    return (
        <>
            {isAdmin && <div className="actions start">
                <button type="button" onClick={() => setDoing("add")}>{say.addPeople}</button>
                <button type="button" onClick={() => setDoing("change")}>{say.changeNameOrPhoto}</button>
            </div>}
            <Members {...props} />
            {isAdmin && <Invited chat={chat} conversation={conversation} />}
            <Retention conversation={conversation} />
            {task.problem && <p className="refused" role="alert">{task.problem}</p>}
            {doing !== "leave"
                ? <div className="actions">
                    <button type="button" className="danger" onClick={() => setDoing("leave")}>
                        {say.leaveGroupAsk}</button>
                </div>
                : <Sure name={say.leaveGroup} isBusy={task.isBusy} cancel={stop}
                    question={conversation.role === "owner"
                        ? say.leavingOwner : say.leavingMember}
                    act={() => task.run(async () => {
                        await own.leave();
                        close();
                    })} />}
        </>
    );
}

const roles = { owner: say.owner, admin: say.admin, member: "" } as const;

function Members({ chat, conversation, go }: AboutProps) {
    useObserved(chat);
    // Small groups are known whole, and change as they are looked at.
    const isKnown = conversation.members.length >= conversation.memberCount;
    const all = useAnswer(
        () => isKnown ? Promise.resolve([]) : members(chat, conversation), [isKnown, conversation.memberCount]);
    const task = useTask();
    const shown = isKnown ? conversation.members : all.value && all.value.length > 0 ? all.value : conversation.members;
    return (
        <section aria-label={say.membersTitle}>
            <h3 className="part">
                {say.members(conversation.memberCount)}</h3>
            {task.problem && <p className="refused" role="alert">{task.problem}</p>}
            {!isKnown && all.problem && <p className="hint" role="status">{say.notAllAreShown(all.problem)}</p>}
            <ul className="people" aria-label={say.membersTitle}>
                {shown.map((member) => <li key={member.person.id} className="row">
                    <Avatar id={member.person.id} name={nameOf(member.person)}
                        status={parleyOf(chat).presence.get(member.person.id)?.status} />
                    <span className="text">
                        <bdi className="title">{nameOf(member.person)}</bdi>
                        <span className="preview">{handleOf(member.person)}</span>
                    </span>
                    {roles[member.role] && <span className="role">{roles[member.role]}</span>}
                    {member.person.id === chat.me?.id
                        ? <span className="role">{say.you}</span>
                        : <Menu name={say.forPerson(nameOf(member.person))} icon={<MoreIcon />}
                            choices={choicesFor(member, chat, conversation, go, task.run)} />}
                </li>)}
            </ul>
        </section>
    );
}

/** What the person may do with a member of a group. */
function choicesFor(
    { person, role }: Member, chat: Chat, conversation: Conversation, go: Go, run: (task: () => Promise<void>) => void,
): Choice[] {
    const own = ownOf(conversation);
    const choices: Choice[] = [
        { name: say.writeToThem, choose: () => run(async () => go(await chat.start(person))) },
    ];
    const mine = conversation.role;
    if (mine === "owner") {
        choices.push(role === "admin"
            ? { name: say.endTheirAdminRights, choose: () => run(() => own.setAdmin(person.id, false)) }
            : { name: say.makeAdmin, choose: () => run(() => own.setAdmin(person.id)) });
        choices.push({ name: say.makeOwner, choose: () => run(() => own.transferOwnership(person.id)) });
    }
    if (mine === "owner" || (mine === "admin" && role === "member")) {
        choices.push({ name: say.removeFromTheGroup, isDangerous: true,
            choose: () => run(() => own.remove(person.id)) });
    }
    return choices;
}

function Invited({ chat, conversation }: { chat: Chat; conversation: Conversation }) {
    const answer = useAnswer(() => invited(chat, conversation), [conversation.members]);
    const task = useTask();
    const withdraw = ({ id }: Person) => task.run(async () => {
        await ownOf(conversation).withdrawInvitation(id);
        answer.again();
    });
    if (answer.value?.length === 0) return null;
    return (
        <section aria-label={say.invited}>
            <h3 className="part">{say.invitedNotJoinedYet}</h3>
            {task.problem && <p className="refused" role="alert">{task.problem}</p>}
            <Loaded answer={answer}>{(people) => <ul className="people" aria-label={say.invited}>
                {people.map((person) => <li key={person.id} className="row">
                    <Avatar id={person.id} name={nameOf(person)} />
                    <span className="text"><bdi className="title">{nameOf(person)}</bdi></span>
                    <button type="button" className="link" onClick={() => withdraw(person)}
                        aria-label={say.withdrawTheInvitationOf(nameOf(person))}>{say.withdraw}</button>
                </li>)}
            </ul>}</Loaded>
        </section>
    );
}

function Add({ chat, conversation, stop }: AboutProps & { stop: () => void }) {
    const [people, setPeople] = useState<readonly Person[]>([]);
    const task = useTask();
    const known = conversation.members.map(({ person }) => person.id);
    return (
        <section aria-label={say.addPeople}>
            <Chosen people={people} remove={(person) => setPeople(people.filter((each) => each !== person))} />
            <Picker chat={chat} isMany leftOut={[...known, ...people.map(({ id }) => id)]}
                choose={(person) => setPeople((old) => [...old, person])} />
            {task.problem && <p className="refused" role="alert">{task.problem}</p>}
            <div className="actions">
                <button type="button" onClick={stop}>{say.cancel}</button>
                <button type="button" className="primary" disabled={people.length === 0 || task.isBusy}
                    onClick={() => task.run(async () => {
                        await ownOf(conversation).add(people.map(({ id }) => id));
                        stop();
                    })}>{say.add}</button>
            </div>
        </section>
    );
}

function Change({ conversation, stop }: { conversation: Conversation; stop: () => void }) {
    const own = ownOf(conversation);
    const [name, setName] = useState(own.name);
    const [photo, setPhoto] = useState(conversation.photo);
    const task = useTask();
    return (
        <form aria-label={say.nameAndPhoto} onSubmit={(event) => {
            event.preventDefault();
            task.run(async () => {
                if (name.trim() !== own.name) await own.rename(name.trim());
                if (photo.trim() !== conversation.photo) await own.setPhoto(photo.trim());
                stop();
            });
        }}>
            <Line label={say.nameOfTheGroup} value={name} set={setName} refused={task.field === "name"} autoFocus />
            <Line label={say.addressOfAPhoto} value={photo} set={setPhoto} isPlain maxLength={1024} type="url"
                refused={task.field === "photo_url"}
                hint={say.photoHint} />
            {task.problem && <p className="refused" role="alert">{task.problem}</p>}
            <div className="actions">
                <button type="button" onClick={stop}>{say.cancel}</button>
                <button type="submit" className="primary" disabled={task.isBusy}>{say.save}</button>
            </div>
        </form>
    );
}
