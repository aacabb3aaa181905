import Foundation
import HearthCatalog
import HearthDevicePlane
import HearthIdentity
import HearthStorage
import HearthStorageSQLite

/// The program of `scripts/soak adoption`:
///
///     AdoptionSimulator record FOLDER COUNT SEED REPEATS ROWS DAY PLACE [SERVER SERVERS]
///     AdoptionSimulator check  FOLDER COUNT SEED REPEATS ROWS DAY
///     AdoptionSimulator merge  FOLDER OTHER REPEATS ROWS DAY
///     AdoptionSimulator memory FOLDER
///
/// ROWS is the most rows of a sample. `record` lets all installations ask on one day, from a place in their order on, and
/// says on standard output where it is. `check` compares with an exact count, up to that day.
@main enum SimulatorProgram {
    static let firstDay: Int64 = 20_000
    static let dayMicroseconds: Int64 = 86_400_000_000
    /// The recorder is asked this often in a day whether it wants to write. A server asks every second.
    private static let turnsPerDay = 480

    static func main() throws {
        let words = CommandLine.arguments.dropFirst()
        let numbers = words.compactMap { Int($0) }
        guard let folder = words.dropFirst().first else { return usage() }
        switch (words.first, numbers.count) {
        case ("record", 6), ("record", 8):
            let fleet = Fleet(count: numbers[0], seed: UInt64(numbers[1]))
            let server = numbers.count == 8 ? (number: numbers[6], of: numbers[7]) : (number: 0, of: 1)
            try record(
                fleet, Store(folder, repeats: numbers[2], rowLimit: numbers[3]), day: numbers[4], from: numbers[5],
                server)
        case ("check", 5):
            let fleet = Fleet(count: numbers[0], seed: UInt64(numbers[1]))
            try ExactCount(fleet, until: numbers[4]).compare(
                with: Store(folder, repeats: numbers[2], rowLimit: numbers[3]), day: numbers[4])
        case ("merge", 3):
            guard let other = words.dropFirst(2).first else { return usage() }
            try Store(folder, repeats: numbers[0], rowLimit: numbers[1])
                .merge(Store(other, repeats: numbers[0], rowLimit: numbers[1]), day: numbers[2])
        case ("memory", 0): try memory(Store(folder, repeats: 1000, rowLimit: AdoptionSample.rowLimit))
        default: usage()
        }
    }

    private static func usage() {
        FileHandle.standardError.write(Data("wrong use: see scripts/soak adoption\n".utf8))
        exit(2)
    }

    private static func record(
        _ fleet: Fleet, _ store: Store, day: Int, from start: Int, _ server: (number: Int, of: Int)
    ) throws {
        let recorder = store.recorder
        let today = firstDay + Int64(day)
        let turn = max(1, fleet.count / turnsPerDay)
        for place in start..<fleet.count {
            let installation = fleet.order(place, on: day)
            // Each day a load balancer sends an installation to another server.
            if fleet.asks(installation, on: day), (installation ^ day) % server.of == server.number {
                for number in 0..<store.repeats {
                    recorder.see(
                        fleet.id(installation), project: Store.project(number), model: store.models[number],
                        named: Store.prefix(ofVersion: fleet.version(installation, on: day)),
                        system: fleet.system(installation), appVersion: fleet.appVersion(installation, on: day),
                        day: today)
                }
            }
            if place % turn == turn - 1 || place == fleet.count - 1 || recorder.isCrowded {
                try recorder.writeAll(nowMicroseconds: today * dayMicroseconds)
            }
            if place % turn == 0 {
                // Not `print`, which keeps lines back.
                FileHandle.standardOutput.write(Data("\(place)\n".utf8))
            }
        }
        try recorder.writeAll(nowMicroseconds: today * dayMicroseconds)
        try store.clean(today: today + 1)
        print("dropped \(recorder.droppedCount)")
        print("done")
    }

    /// As much as a recorder can ever keep: the most sightings of 1,000 models, with long texts.
    private static func memory(_ store: Store) throws {
        let before = residentBytes()
        let recorder = store.recorder
        var number = 0
        while recorder.droppedCount == 0 {
            recorder.see(
                "installation-\(number)", project: Store.project(0), model: store.models[number % 1000],
                named: UInt64(number), system: "system-\(number)", appVersion: "version-\(number)-of-this-app",
                day: firstDay)
            number += 1
        }
        print("waiting \(number) bytes \(residentBytes() - before)")
    }

    private static func residentBytes() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
    }
}
