// SPDX-License-Identifier: Apache-2.0
package io.keyslot.clients.hibernate;

import jakarta.persistence.Basic;
import jakarta.persistence.Cacheable;
import jakarta.persistence.CascadeType;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OrderBy;
import jakarta.persistence.Version;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.hibernate.annotations.Cache;
import org.hibernate.annotations.CacheConcurrencyStrategy;
import org.hibernate.annotations.NaturalId;
import org.hibernate.annotations.NaturalIdCache;
import org.jspecify.annotations.Nullable;

/** An entity with attributes of many kinds. Not final: Hibernate makes a subclass of it. */
@Entity
@Cacheable
@Cache(usage = CacheConcurrencyStrategy.READ_WRITE)
@NaturalIdCache
@SuppressWarnings({"NullAway.Init", "unused"}) // Hibernate sets and reads the fields.
class Customer {
    enum Standing {
        NEW,
        TRUSTED
    }

    @Embeddable
    static class Address {
        String street;
        String city;

        Address() {}

        Address(String street, String city) {
            this.street = street;
            this.city = city;
        }
    }

    @Id
    long id;

    @NaturalId
    String email;

    @Version
    int version;

    String name;

    @Enumerated(EnumType.STRING)
    Standing standing = Standing.NEW;

    BigDecimal credit = new BigDecimal("12.50");
    LocalDate since = LocalDate.of(2026, 2, 28);
    byte[] picture = {1, 2, 3};

    @Embedded
    @Nullable
    Address address;

    @Basic
    @Nullable
    String remark;

    @ManyToOne(fetch = FetchType.LAZY)
    @Nullable
    Customer recommendedBy;

    @OneToMany(mappedBy = "customer", cascade = CascadeType.ALL)
    @OrderBy("number")
    @Cache(usage = CacheConcurrencyStrategy.READ_WRITE)
    List<Purchase> purchases = new ArrayList<>();

    @ElementCollection
    @Cache(usage = CacheConcurrencyStrategy.NONSTRICT_READ_WRITE)
    Set<String> tags = new LinkedHashSet<>();

    Customer() {}

    /** A reference that is not loaded yet loads itself when a method is called. */
    public String name() {
        return name;
    }

    Customer(long id, String email, String name) {
        this.id = id;
        this.email = email;
        this.name = name;
    }
}
