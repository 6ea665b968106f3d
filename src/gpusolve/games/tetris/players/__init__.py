"""Players, who judge boards by weights or by a learned value, and the policies by which they look ahead.

`player` has the protocol of a player and `shipped` loads players by name. A player makes a judge for a device
(`weights_judge`, `value_judge`) and gives it to a policy (`judge.greedy`, `expectimax`, `playouts`); `playing` plays
whole games.
"""
