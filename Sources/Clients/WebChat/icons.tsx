/** Pictures on buttons. The button says what it does. */
function Icon({ path, size = 20, width = 2 }: { path: string; size?: number; width?: number }) {
    return (
        <svg viewBox="0 0 24 24" width={size} height={size} fill="none" stroke="currentColor" strokeWidth={width}
            strokeLinecap="round" strokeLinejoin="round" aria-hidden="true"><path d={path} /></svg>
    );
}

export const BackIcon = () => <Icon path="M15 5l-7 7 7 7" />;
export const NewIcon = () => <Icon path="M12 5v14M5 12h14" />;
export const SendIcon = () => <Icon path="M5 12h14M13 6l6 6-6 6" />;
export const DownIcon = () => <Icon path="M6 9l6 6 6-6" />;
export const MoreIcon = () => <Icon path="M5 12h.01M12 12h.01M19 12h.01" width={3} />;
export const PinIcon = () => <Icon path="M9 4h6l-1 6 3 3H7l3-3-1-6zM12 13v7" size={14} />;
export const MutedIcon = () => <Icon path="M5 5l14 14M9 9v0a3 3 0 0 0 0 5M18 15c-1-1-1-3-1-5a5 5 0 0 0-8-4M6 16h9" size={14} />;
export const CloseIcon = () => <Icon path="M6 6l12 12M18 6L6 18" />;
export const WaitingIcon = () => <Icon path="M12 7v5l3 2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z" size={14} />;
export const SentIcon = () => <Icon path="M5 13l4 4L19 7" size={14} />;
export const ReceivedIcon = () => <Icon path="M2 13l4 4L16 7M11 16l1 1L22 7" size={14} />;
export const FailedIcon = () => <Icon path="M12 8v5M12 16.5h.01M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z" size={14} />;
export const FileIcon = () => <Icon path="M14 3H7a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V8zM14 3v5h5" size={16} />;
export const StarIcon = () =>
    <Icon path="M12 4l2.4 5 5.6.7-4.1 3.8 1.1 5.5-5-2.7-5 2.7 1.1-5.5L4 9.7 9.6 9z" size={14} />;
export const EmojiIcon = () =>
    <Icon path="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8.5 14.5c1.8 2.2 5.2 2.2 7 0M9 9.5h.01M15 9.5h.01" />;
export const SearchIcon = () => <Icon path="M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l4.5 4.5" />;
export const PlayIcon = () => <Icon path="M7 5l12 7-12 7z" />;
export const AttachIcon = () => <Icon path="M20 11.5l-8 8a5 5 0 0 1-7-7l8.5-8.5a3.3 3.3 0 0 1 4.7 4.7L10 17a1.6 1.6 0 0 1-2.3-2.3l7.3-7.3" />;
export const VoiceIcon = () => <Icon path="M12 3a3 3 0 0 0-3 3v5a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3zM5 11a7 7 0 0 0 14 0M12 18v3" />;
export const MinusIcon = () => <Icon path="M5 12h14" />;
export const SaveIcon = () => <Icon path="M12 4v11M7 11l5 5 5-5M5 20h14" />;
export const CalendarIcon = () => <Icon path="M5 6h14v14H5zM5 10.5h14M9 3.5V8M15 3.5V8" />;
export const DecisionIcon = () => <Icon path="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8 12.5l3 3 5-6" />;
export const BellIcon = () => <Icon path="M6 17V11a6 6 0 0 1 12 0v6l1.5 1.5h-15zM10.5 20.5h3" />;
