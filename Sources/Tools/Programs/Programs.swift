// The target Programs builds and links all programs that an operator runs, and nothing else:
// `swift build -c release --target Programs`.
