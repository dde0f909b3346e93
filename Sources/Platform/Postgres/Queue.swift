/// A first-in, first-out queue in an array whose front is dropped in bulk. Appending and popping are O(1) on average.
struct Queue<Element> {
    private var elements: [Element?] = []
    private var head = 0

    var isEmpty: Bool { head == elements.count }
    var count: Int { elements.count - head }
    var first: Element? { isEmpty ? nil : elements[head] }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = elements[head]
        elements[head] = nil
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: elements.capacity <= 4096)
            head = 0
        } else if head >= 1024, head * 2 >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }

    /// Removes and returns everything, in order.
    mutating func popAll() -> [Element] {
        defer { self = Queue() }
        return elements[head...].compactMap { $0 }
    }

    /// Removes and returns the first element that `matches`. O(n).
    mutating func removeFirst(where matches: (Element) -> Bool) -> Element? {
        for index in head..<elements.count {
            if let element = elements[index], matches(element) {
                elements.remove(at: index)
                return element
            }
        }
        return nil
    }
}
