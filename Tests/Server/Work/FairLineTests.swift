import HearthTestSupport
import HearthWork
import Testing

@Suite("Whose turn it is") struct FairLineTests {
    /// What begins when each item ends before the next one begins.
    private func order(_ line: FairQueue<String>) -> [String] {
        var line = line
        var order: [String] = []
        while let (item, project) = line.next() {
            order.append(item)
            line.finish(project)
        }
        return order
    }

    @Test("Turns go round by project, and each project's items keep their order")
    func round() {
        var line = FairQueue<String>(places: 1)
        for item in ["a1", "a2", "a3", "b1", "b2", "c1"] { _ = line.add(item, of: String(item.prefix(1))) }
        #expect(order(line) == ["a1", "b1", "c1", "a2", "b2", "a3"])
    }

    @Test("A project has all places but one, and the last one only while it has none", arguments: 1...5)
    func places(count: Int) {
        var line = FairQueue<Int>(places: count)
        for number in 1...9 { _ = line.add(number, of: "a") }
        var begun = 0
        while line.next() != nil { begun += 1 }
        #expect(begun == max(1, count - 1))
        _ = line.add(0, of: "b")
        let next = line.next()?.project
        // Where there is one place only, it is taken.
        #expect((next == "b") == (count > 1))
    }

    @Test("So many of a project wait, one more is refused, and another project is not")
    func waiting() {
        var line = FairQueue<Int>(places: 1)
        let taken = (1...4).map { line.add($0, of: "a", most: 3) }
        #expect(taken == [true, true, true, false])
        #expect(line.waitingCount(of: "a") == 3 && line.waitingCount(of: "b") == 0)
        let other = line.add(5, of: "b", most: 3)
        let begun = line.next()?.item
        #expect(other && begun == 1)
        // What has begun waits no more.
        let later = (6...7).map { line.add($0, of: "a", most: 3) }
        #expect(later == [true, false])
    }

    @Test("The kinds of a project's items have turns and numbers of their own, and share its places")
    func kinds() {
        var line = FairQueue<String>(places: 2)
        for item in ["f1", "f2", "f3"] { _ = line.add(item, of: "a", kind: 1, most: 3) }
        let (more, other) = (line.add("f4", of: "a", kind: 1, most: 3), line.add("c1", of: "a", kind: 2, most: 1))
        #expect(!more && other)
        #expect(line.waitingCount(of: "a", kind: 1) == 3 && line.waitingCount(of: "a", kind: 2) == 1)
        let (first, second) = (line.next()?.item, line.next()?.item)
        #expect(first == "f1" && second == nil, "the last place is for another project")
        line.finish("a")
        #expect(order(line) == ["c1", "f2", "f3"])
    }

    @Test("A project of many kinds has no more turns than one of a single kind")
    func turnsAreTheProjects() {
        var line = FairQueue<String>(places: 1)
        for (kind, name) in ["f", "c", "r"].enumerated() {
            for number in 1...2 { _ = line.add("a\(name)\(number)", of: "a", kind: kind) }
        }
        for number in 1...3 { _ = line.add("b\(number)", of: "b") }
        #expect(order(line) == ["af1", "b1", "ac1", "b2", "ar1", "b3", "af2", "ac2", "ar2"])
    }

    @Test("Whatever comes and goes, nothing is lost, no place is counted twice, and nobody waits for ever")
    func anything() throws {
        var random = SeededGenerator(seed: 3)
        for places in 1...4 {
            var line = FairQueue<Int>(places: places)
            var waiting: Set<Int> = []
            var running: [(item: Int, project: String)] = []
            for number in 0..<3000 {
                if Int.random(in: 0..<2, using: &random) == 0, line.add(number, of: "p\(number % 5)") {
                    waiting.insert(number)
                }
                if let turn = line.next() {
                    #expect(waiting.remove(turn.item) != nil)
                    running.append(turn)
                }
                #expect(running.count <= places)
                if let place = running.indices.randomElement(using: &random) {
                    line.finish(running.remove(at: place).project)
                }
            }
            for turn in running { line.finish(turn.project) }
            while let turn = line.next() {
                #expect(waiting.remove(turn.item) != nil)
                line.finish(turn.project)
            }
            #expect(waiting.isEmpty && line.isIdle)
        }
    }
}
