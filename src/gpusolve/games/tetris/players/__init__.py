"""Players, who judge boards by weights or by a learned value, and the policies by which they look ahead.

`player` has the protocol of a player and `shipped` loads players by name. A player makes a judge for a device
(`weighing`, `losses`) and gives it to a policy (`judging.greedy`, `expectimax`, `playouts`); `playing` plays whole
games.
"""
