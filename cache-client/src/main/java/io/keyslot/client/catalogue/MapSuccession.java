// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.catalogue;

import io.keyslot.client.map.Coordinator;
import io.keyslot.client.map.MapRules;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.PartitionMap;
import java.util.List;
import java.util.Optional;

/** The rule, common to all catalogues, whether a map may follow the newest one. Pure. */
final class MapSuccession {
    private MapSuccession() {}

    /** Returns why a map may not follow; empty if it may. */
    static Optional<CatalogueAnswer> objection(PartitionMap present, PartitionMap next) {
        for (Move move : next.moves()) {
            Optional<Coordinator> other = present.move(move.id()).map(Move::coordinator);
            if (other.isPresent() && other.get().epoch() > move.coordinator().epoch()) {
                return Optional.of(new CatalogueAnswer.Fenced("%s carries out move %s since epoch %d"
                        .formatted(other.get().id(), move.id(), other.get().epoch())));
            }
        }
        boolean follows =
                present.stamp().generation().equals(next.stamp().generation()) && present.version() == next.parent();
        return follows ? wrong(present, next) : Optional.of(new CatalogueAnswer.Conflict(present));
    }

    private static Optional<CatalogueAnswer> wrong(PartitionMap present, PartitionMap next) {
        List<String> problems = MapRules.problemsBetween(present, next);
        return problems.isEmpty()
                ? Optional.empty()
                : Optional.of(new CatalogueAnswer.Invalid(String.join("; ", problems)));
    }
}
