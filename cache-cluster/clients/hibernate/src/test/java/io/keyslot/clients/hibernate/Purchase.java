// SPDX-License-Identifier: Apache-2.0
package io.keyslot.clients.hibernate;

import jakarta.persistence.Cacheable;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.ManyToOne;
import java.io.Serializable;
import java.util.Objects;
import org.hibernate.annotations.Cache;
import org.hibernate.annotations.CacheConcurrencyStrategy;
import org.jspecify.annotations.Nullable;

/** An entity whose key is an object of the application. */
@Entity
@Cacheable
@Cache(usage = CacheConcurrencyStrategy.NONSTRICT_READ_WRITE)
@SuppressWarnings("NullAway.Init") // Hibernate sets the fields.
class Purchase {
    @Embeddable
    static class Key implements Serializable {
        private static final long serialVersionUID = 1L;

        String shop;
        long number;

        Key() {}

        Key(String shop, long number) {
            this.shop = shop;
            this.number = number;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key that && number == that.number && shop.equals(that.shop);
        }

        @Override
        public int hashCode() {
            return Objects.hash(shop, number);
        }
    }

    @EmbeddedId
    Key key;

    /** The column of the key has this name, too. */
    @jakarta.persistence.Column(name = "running_number")
    long number;

    @ManyToOne
    Customer customer;

    String article;

    Purchase() {}

    Purchase(Customer customer, String shop, long number, String article) {
        this.key = new Key(shop, number);
        this.number = number;
        this.customer = customer;
        this.article = article;
    }
}
