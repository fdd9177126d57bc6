// SPDX-License-Identifier: Apache-2.0
package io.keyslot.clients.hibernate;

import jakarta.persistence.Cacheable;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.time.Instant;
import java.util.UUID;
import org.hibernate.annotations.Cache;
import org.hibernate.annotations.CacheConcurrencyStrategy;
import org.hibernate.annotations.Immutable;

/** The root of a hierarchy that never changes. */
@Entity
@Immutable
@Cacheable
@Cache(usage = CacheConcurrencyStrategy.READ_ONLY)
@SuppressWarnings("NullAway.Init") // Hibernate sets the fields.
class Payment {
    @Id
    UUID id;

    Instant at = Instant.ofEpochSecond(1_700_000_000);

    @Entity
    static class ByCard extends Payment {
        String card;

        ByCard() {}

        ByCard(UUID id, String card) {
            this.id = id;
            this.card = card;
        }
    }
}
