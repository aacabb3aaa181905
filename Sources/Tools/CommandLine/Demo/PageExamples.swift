import Foundation
import HearthLocalCommands

/// Pages with several digits each, and where they are.
struct PageExamples {
    struct Digit {
        var name: String
        /// In pixels of the page.
        var frame: CGRect
    }

    struct Page {
        var path: String
        var digits: [Digit]
    }

    let pages: [Page]

    /// Reads `boxes.csv`: a header, then a line `file,digit,left,top,right,bottom` for each digit, page by page.
    init(folder: String) throws {
        var pages: [Page] = []
        for fields in try ExampleTable.rows(folder + "/boxes.csv", columns: 6) {
            let sides = fields[2...].compactMap(Double.init)
            guard sides.count == 4 else { continue }
            let frame = CGRect(x: sides[0], y: sides[1], width: sides[2] - sides[0], height: sides[3] - sides[1])
            let path = folder + "/" + fields[0]
            if pages.last?.path != path { pages.append(Page(path: path, digits: [])) }
            pages[pages.count - 1].digits.append(Digit(name: fields[1], frame: frame))
        }
        guard !pages.isEmpty else { throw CommandFailure("There are no example pages in \(folder).") }
        self.pages = pages
    }
}

extension PageExamples.Page {
    /// How many of the page's digits are among `found`: the same digit, at least half of both frames in common.
    func hits(_ found: [PictureObjects.Object]) -> Int {
        var left = found
        return digits.count { digit in
            let match = left.firstIndex { $0.text == digit.name && Self.overlap($0.frame, digit.frame) >= 0.5 }
            if let match { left.remove(at: match) }
            return match != nil
        }
    }

    /// Intersection over union, 0 to 1.
    private static func overlap(_ one: CGRect, _ other: CGRect) -> CGFloat {
        let common = one.intersection(other)
        guard !common.isEmpty else { return 0 }
        let shared = common.width * common.height
        return shared / (one.width * one.height + other.width * other.height - shared)
    }
}
