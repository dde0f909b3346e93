import { useEffect, useRef, useState } from "react";
import { Dialog } from "../Dialog";
import { say } from "../english/parts";
import { useTask } from "../hooks";
import type { Conversation } from "../model";
import { playingTime } from "../sizes";

/** As what a voice is recorded, the first that the browser can make. */
const types = ["audio/webm;codecs=opus", "audio/mp4", "audio/ogg;codecs=opus"];
/** How many levels are shown, and how often one is taken, in milliseconds. */
const levelsMax = 60;
const levelEvery = 100;
const longest = 15 * 60_000;

/** Records a voice message. It is heard once it is sent. */
export function Voice({ conversation, close }: { conversation: Conversation; close: () => void }) {
    const [problem, setProblem] = useState("");
    const [length, setLength] = useState(0);
    const [levels, setLevels] = useState<readonly number[]>([]);
    const recording = useRef<Recording | null>(null);
    const task = useTask();
    useEffect(() => {
        let isCurrent = true;
        let timer = 0;
        Recording.begin().then((begun) => {
            if (!isCurrent) return begun.end();
            recording.current = begun;
            timer = window.setInterval(() => {
                setLength(begun.length);
                setLevels((old) => [...old.slice(1 - levelsMax), begun.level()]);
                if (begun.length >= longest) begun.pause();
            }, levelEvery);
        }, (error) => { if (isCurrent) setProblem(why(error)); });
        return () => {
            isCurrent = false;
            clearInterval(timer);
            recording.current?.end();
        };
    }, []);
    const send = async () => {
        const made = await recording.current?.finish();
        if (!made) return;
        const ending = made.file.type.includes("mp4") ? "m4a" : made.file.type.includes("ogg") ? "ogg" : "webm";
        await conversation.sendFile(made.file, `voice.${ending}`, { durationMs: made.length, isVoice: true });
        close();
    };
    return (
        <Dialog title={say.voiceMessage} close={close}>
            {problem
                ? <p className="refused" role="alert">{problem}</p>
                : <div className="recording">
                    <span role="timer" aria-label={say.length}>{playingTime(length)}</span>
                    <svg viewBox={`0 0 ${levelsMax} 20`} preserveAspectRatio="none" role="img"
                        aria-label={say.howLoudItIs}>
                        {levels.map((level, number) => <line key={number} x1={number + 0.5} x2={number + 0.5}
                            y1={10 - 1 - level * 9} y2={10 + 1 + level * 9} />)}
                    </svg>
                </div>}
            {!problem && <p className="hint" role="status">
                {length === 0 ? say.waitingForTheMicrophone : say.recording}</p>}
            {task.problem && <p className="refused" role="alert">{task.problem}</p>}
            <div className="actions">
                <button type="button" onClick={close}>{say.cancel}</button>
                <button type="button" className="primary" disabled={length < 300 || task.isBusy}
                    onClick={() => task.run(send)}>{say.send}</button>
            </div>
        </Dialog>
    );
}

function why(error: unknown): string {
    const { name } = error as Error;
    if (name === "NotAllowedError") return say.noMicrophoneAllowed;
    return name === "NotFoundError" ? say.noMicrophone : say.cannotRecord;
}

/** A microphone, and what it recorded so far. */
class Recording {
    private readonly parts: Blob[] = [];
    private readonly samples: Uint8Array;
    private begun = performance.now();
    private lasted = 0;

    private constructor(
        private readonly stream: MediaStream, private readonly recorder: MediaRecorder,
        private readonly context: AudioContext, private readonly analyser: AnalyserNode,
    ) {
        this.samples = new Uint8Array(analyser.fftSize);
        recorder.addEventListener("dataavailable", ({ data }) => { this.parts.push(data); });
        recorder.start(1000);
    }

    static async begin(): Promise<Recording> {
        const mimeType = types.find((type) => MediaRecorder.isTypeSupported(type));
        const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
        const context = new AudioContext();
        const analyser = context.createAnalyser();
        context.createMediaStreamSource(stream).connect(analyser);
        return new Recording(stream, new MediaRecorder(stream, { mimeType }), context, analyser);
    }

    /** In milliseconds. */
    get length(): number {
        return this.recorder.state === "recording" ? performance.now() - this.begun : this.lasted;
    }

    /** How loud it is, from 0 to 1. */
    level(): number {
        this.analyser.getByteTimeDomainData(this.samples);
        return Math.max(...this.samples.map((sample) => Math.abs(sample - 128))) / 128;
    }

    pause() {
        this.lasted = this.length;
        if (this.recorder.state === "recording") this.recorder.pause();
    }

    async finish(): Promise<{ file: Blob; length: number }> {
        const length = Math.round(this.length);
        const stopped = new Promise((done) => this.recorder.addEventListener("stop", done, { once: true }));
        this.recorder.stop();
        await stopped;
        this.end();
        return { file: new Blob(this.parts, { type: this.recorder.mimeType.split(";")[0] }), length };
    }

    end() {
        if (this.recorder.state !== "inactive") this.recorder.stop();
        for (const track of this.stream.getTracks()) track.stop();
        if (this.context.state !== "closed") void this.context.close();
    }
}
