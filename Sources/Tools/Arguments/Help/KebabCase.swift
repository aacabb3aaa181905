extension String {
    /// `modelName` and `ModelName` as `model-name`, `outputURL` as `output-url`.
    var kebabCased: String {
        let letters = Array(self)
        var result = ""
        for (index, letter) in letters.enumerated() {
            if letter == "_" {
                result += "-"
                continue
            }
            if letter.isUppercase && index > 0 {
                let previous = letters[index - 1]
                let nextIsLowercase = index + 1 < letters.count && letters[index + 1].isLowercase
                let startsWord = previous.isLowercase || previous.isNumber || (previous.isUppercase && nextIsLowercase)
                if startsWord { result += "-" }
            }
            result += letter.lowercased()
        }
        return result
    }
}
