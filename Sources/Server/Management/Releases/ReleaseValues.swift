import HearthCalls
import HearthCatalog
import HearthDevicePlane
import HearthRouting
import HearthWire

/// Converts shares and times of a request to the units of the records.
enum ReleaseValues {
    /// From 0 to 1; the result is in millionths.
    static func share(_ share: Double, _ field: String) throws(APIError) -> Int {
        guard share >= 0, share <= 1 else {
            throw .invalid(
                field, "A share must be a number from 0 to 1.", message: "A share must be a number from 0 to 1.")
        }
        return Int((share * Double(Release.fullShare)).rounded())
    }

    static func stages(_ stages: [ReleaseBodies.Stage]) throws(APIError) -> [Release.Stage] {
        var found: [Release.Stage] = []
        for (index, stage) in stages.enumerated() {
            guard let time = Timestamp(rfc3339: stage.time) else {
                let text = "A stage's time is RFC 3339 in UTC, such as 2027-01-15T08:00:00Z."
                throw .invalid("stages.\(index).time", text, message: text)
            }
            found.append(
                Release.Stage(
                    atMicroseconds: time.microseconds,
                    shareMillionths: try share(stage.share, "stages.\(index).share")))
        }
        return found
    }
}
