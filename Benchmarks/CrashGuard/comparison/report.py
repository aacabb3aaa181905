"""The results as text."""

from harness.machine import header as machine_text


def header(machine, settings):
    return (
        f"{machine_text(machine)}\n"
        f"{settings['rounds']} rounds, turns of {settings['milliseconds']} ms. Nanoseconds per call, medians; in brackets, where "
        "the middle half of the rounds lies.\nGuarded, without the guard, guarded divided by without, guarded minus without.")


def text(pair):
    ratio, difference = pair["ratio"], pair["difference"]
    return (
        f"  {pair['name']:<32}{pair['ours']['median']:>9,.0f}{pair['peer']['median']:>9,.0f}   {ratio['median']:.3f} "
        f"[{ratio['low']:.3f} ... {ratio['high']:.3f}]   {difference['median']:,.0f} ns "
        f"[{difference['low']:,.0f} ... {difference['high']:,.0f}]\n      {pair['meaning']}")
