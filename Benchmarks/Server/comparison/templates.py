"""Templates and experiments for the part `configuration`: as many conditions as wanted, of every kind that templates have."""

PARAMETERS = 100
COUNTRIES = (
    "US", "DE", "FR", "GB", "CH", "AT", "IT", "ES", "PT", "NL", "BE", "SE", "NO", "FI", "PL", "CZ", "JP", "KR", "BR", "IN")
LANGUAGES = ("en", "de", "fr", "it", "es", "pt", "nl", "sv", "pl", "ja")
PLANS = tuple(f"plan-{number}" for number in range(12))


def expression(number):
    """The condition with that number. Most hold for few devices, so that a parameter looks at most of those it has."""
    turn = number // 10
    country, language = COUNTRIES[turn % len(COUNTRIES)], LANGUAGES[turn % len(LANGUAGES)]
    return (
        f"device.country in ['{country}', 'LI']",
        f"device.language in ['{language}'] && device.country in ['{country}']",
        f"app.version.>=(['3.{turn % 10}.5'])",
        f"percent('seed-{number}') <= 5",
        f"app.customSignal['level'] > {90 + turn % 10}",
        f"app.customSignal['plan'].exactlyMatches(['{PLANS[turn % len(PLANS)]}', 'test'])",
        f"app.customSignal['device'].matches(['^(pixel|galaxy) {turn % 50}[a-z]?$'])",
        f"percent('seed-{number}') between 50 and 55",
        f"app.userProperty['group'].contains(['g{turn % 30}x'])",
        f"device.os == 'ios' && app.version.<(['1.{turn % 10}'])",
    )[number % 10]


def template(conditions):
    """Each condition changes a parameter; with more conditions than parameters, several change the same one."""
    parameters = {}
    for number in range(PARAMETERS):
        own = range(number, conditions, PARAMETERS)
        parameters[key(number)] = {
            "defaultValue": {"value": f"usual value {number}"}, "valueType": "STRING",
            "conditionalValues": {name(condition): {"value": f"value {condition}"} for condition in own}}
    return {
        "conditions": [{"name": name(number), "expression": expression(number)} for number in range(conditions)],
        "parameters": parameters}


def long_template():
    """The same 20 KB of values for all devices: texts, as apps show them."""
    words = ("model", "threshold", "camera", "label", "update", "a", "of", "the", "when", "shows", "longer", "result")
    return {"parameters": {
        key(number): {"defaultValue": {"value": " ".join(words[number * step % len(words)] for step in range(1, 33))}}
        for number in range(PARAMETERS)}}


def name(condition):
    return f"condition {condition:04d}"


def key(parameter):
    return f"parameter_{parameter:03d}"


def experiment(number):
    """An experiment in which every installation takes part, over a parameter of its own."""
    variants = [{"name": variant, "parameters": {key(number): f"{variant} {number}"}} for variant in ("control", "other")]
    return {"name": f"experiment-{number}", "variants": variants, "goal": {"event": "bought", "kind": "conversion"}}
