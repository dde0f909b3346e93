import { useState } from "react";
import { Avatar } from "../Avatar";
import { Dialog } from "../Dialog";
import { say } from "../english/parts";
import { useObserved, useTask } from "../hooks";
import { parleyOf } from "../kit";
import { why } from "../language";
import type { Chat } from "../model";
import { Line } from "./Form";

/** What others see of the person: changed, or set up after registering. */
export function Profile({ chat, close, isNew }: { chat: Chat; close: () => void; isNew: boolean }) {
    useObserved(chat);
    const parley = parleyOf(chat);
    const { profile } = parley;
    const [changes, setChanges] = useState<{ name?: string; username?: string; photo?: string; email?: string }>({});
    const task = useTask();
    const known = {
        name: profile?.user.displayName ?? "", username: profile?.user.username ?? "", photo: profile?.user.photo ?? "",
        email: profile?.email ?? "",
    };
    const shown = { ...known, ...changes };
    const set = (field: keyof typeof known) => (text: string) => setChanges((old) => ({ ...old, [field]: text }));
    const save = () => task.run(async () => {
        const isChanged = (field: keyof typeof known) => shown[field].trim() !== known[field];
        const wanted = {
            ...(isChanged("name") ? { displayName: shown.name.trim() } : {}),
            ...(isChanged("username") ? { username: shown.username.trim() } : {}),
            ...(isChanged("photo") ? { photo: shown.photo.trim() } : {}),
            ...(isChanged("email") ? { email: shown.email.trim() } : {}),
        };
        if (Object.keys(wanted).length > 0) await parley.updateProfile(wanted);
        close();
    });
    const refused = profile?.refusal;
    return (
        <Dialog title={isNew ? say.welcomeToParley : say.yourProfile} close={close}>
            <form aria-label={say.profile} onSubmit={(event) => {
                event.preventDefault();
                save();
            }}>
                <div className="profile">
                    <Avatar id={chat.me?.id ?? ""} name={shown.name || shown.username} />
                    <h3><bdi>{shown.name || shown.username}</bdi></h3>
                    {isNew && <p className="hint">{say.setUpHint}</p>}
                </div>
                <Line label={say.name} value={shown.name} set={set("name")} autoFocus={isNew}
                    refused={task.field === "display_name"} hint={say.nameHint} />
                {!isNew && <Line label={say.username} value={shown.username} set={set("username")} isPlain
                    maxLength={32} refused={task.field === "username"} hint={say.usernameHint} />}
                <Line label={say.addressOfAPhoto} value={shown.photo} set={set("photo")} isPlain type="url"
                    maxLength={1024} refused={task.field === "photo_url"}
                    hint={say.photoHint} />
                {!isNew && <Line label={say.email} value={shown.email} set={set("email")} isPlain type="email"
                    refused={task.field === "email"} hint={say.onlyYouSeeIt} />}
                {(task.problem || refused) && <p className="refused" role="alert">
                    {task.problem || refused && why(refused)}</p>}
                <div className="actions">
                    <button type="button" onClick={close}>{isNew ? say.later : say.cancel}</button>
                    <button type="submit" className="primary" disabled={task.isBusy}>{say.save}</button>
                </div>
            </form>
        </Dialog>
    );
}
