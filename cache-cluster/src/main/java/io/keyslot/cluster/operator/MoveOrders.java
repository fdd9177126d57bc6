// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.operator;

import io.keyslot.client.map.MapContent;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.MovePace;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.cluster.move.MapStore;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** Changes of moves by an operator. They are stored in the map, where the coordinator reads them within a second. */
public record MoveOrders(OpenCatalogue catalogue) {
    private static final Pattern NUMBER_IN_PLAN = Pattern.compile("(?<=[^-])-[0-9]{1,4}$");

    /** Returns the move or all moves of the plan with this name; throws {@link RefusedException} if there are none. */
    private static List<Move> named(List<Move> moves, String name) {
        List<Move> named = moves.stream().filter(move -> isNamed(move, name)).toList();
        if (named.isEmpty()) {
            throw new RefusedException("The map has no move %s: it is over, or never was".formatted(name));
        }
        return named;
    }

    public static List<String> idsOf(PartitionMap map, String name) {
        return map.moves().stream()
                .filter(move -> isNamed(move, name))
                .map(Move::id)
                .toList();
    }

    public static boolean isNamed(Move move, String name) {
        return isNamed(move.id(), name);
    }

    static boolean isNamed(String move, String name) {
        return move.equals(name) || move.startsWith(name + "-");
    }

    /** Returns the name of a move's plan, or that of the move if it has none. */
    public static String planOf(String move) {
        return NUMBER_IN_PLAN.matcher(move).replaceFirst("");
    }

    public PartitionMap pace(String name, UnaryOperator<MovePace> pace) throws MapStore.UnavailableException {
        return change(name, "pace", (content, move) -> content.pace(move.id(), pace));
    }

    /**
     * Aborts all these moves, or none if slots of one are at the target already. Returns the new map, which has those
     * that had started until their coordinator has undone them.
     */
    public PartitionMap abort(String name) throws MapStore.UnavailableException {
        return change(name, "abort", (content, move) -> content.abort(move.id()));
    }

    private PartitionMap change(String name, String reason, BiFunction<MapContent, Move, MapContent> each)
            throws MapStore.UnavailableException {
        return catalogue.change(reason, reason + " " + name, content -> {
            MapContent changed = content;
            for (Move move : named(content.moves(), name)) {
                changed = each.apply(changed, move);
            }
            return changed;
        });
    }
}
