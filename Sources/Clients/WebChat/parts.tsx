import type { ReactElement } from "react";
import type { Chat } from "./model";
import { About } from "./parts/About";
import { Agenda } from "./parts/Agenda";
import { Archived } from "./parts/Archived";
import { Attach } from "./parts/Attach";
import { Day } from "./parts/Day";
import { Details } from "./parts/Details";
import { Emoji } from "./parts/Emoji";
import { Forward } from "./parts/Forward";
import { Keys } from "./parts/Keys";
import { Marked } from "./parts/Marked";
import { NewConversation } from "./parts/NewConversation";
import { Attendees, ChangeEvent, Decide, Inviting, NewEvent, Remind } from "./parts/Planning";
import { Profile } from "./parts/Profile";
import { Report } from "./parts/Report";
import { Search } from "./parts/Search";
import { Settings } from "./parts/Settings";
import { Viewer } from "./parts/Viewer";
import { Voice } from "./parts/Voice";
import type { Go, Show, Shown } from "./shown";

export { markRequestRead } from "./parts/ask";
export { renewPushes } from "./parts/pushes";
export { Selection } from "./parts/Selection";
export { Thread } from "./parts/Thread";

/** What stands on top of the chat. */
export function Part({ chat, shown, show, go }: { chat: Chat; shown: Shown; show: Show; go: Go }): ReactElement {
    const close = () => show(null);
    const leave: Go = (conversation, seq) => {
        close();
        go(conversation, seq);
    };
    switch (shown.of) {
        case "new": return <NewConversation chat={chat} close={close} go={leave} />;
        case "profile": return <Profile chat={chat} close={close} isNew={false} />;
        case "setUp": return <Profile chat={chat} close={close} isNew />;
        case "settings": return <Settings chat={chat} close={close} />;
        case "archived": return <Archived chat={chat} close={close} go={leave} />;
        case "mentions": return <Marked chat={chat} kind="MENTIONS" close={close} go={leave} />;
        case "starred": return <Marked chat={chat} kind="STARRED" close={close} go={leave} />;
        case "keys": return <Keys close={close} />;
        case "search": return <Search chat={chat} within={shown.conversation} close={close} go={leave} />;
        case "about": return <About chat={chat} conversation={shown.conversation} close={close} go={leave}
            show={show} />;
        case "report": return <Report chat={chat} {...shown} close={close} />;
        case "details": return <Details chat={chat} {...shown} close={close} />;
        case "forward": return <Forward chat={chat} {...shown} close={close} />;
        case "agenda": return <Agenda chat={chat} close={close} go={leave} show={show} />;
        case "attendees": return <Attendees chat={chat} {...shown} close={close} />;
        case "event": return <NewEvent chat={chat} conversation={shown.conversation} close={close} />;
        case "change": return <ChangeEvent chat={chat} event={shown.event} close={close} />;
        case "inviting": return <Inviting chat={chat} event={shown.event} close={close} />;
        case "remind": return <Remind chat={chat} {...shown} close={close} />;
        case "decide": return <Decide chat={chat} {...shown} close={close} />;
        case "date": return <Day chat={chat} conversation={shown.conversation} close={close} go={leave} />;
        case "attach": return <Attach {...shown} close={close} />;
        case "voice": return <Voice conversation={shown.conversation} close={close} />;
        case "viewer": return <Viewer {...shown} show={show} close={close} />;
        case "emoji": return <Emoji choose={shown.choose} close={close} />;
    }
}
