// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.workload;

import java.io.Serial;
import java.io.Serializable;

/**
 * The cached value, with eight fields. Immutable, although its fields are not final and it has a default constructor,
 * because Kryo reads a registered class of that form fastest.
 */
public final class Customer implements Serializable {
    @Serial
    private static final long serialVersionUID = 1L;

    private long id;
    private String name = "";
    private String email = "";
    private String street = "";
    private String city = "";
    private String country = "";
    private String notes = "";
    private int visits;

    /** For Kryo, which sets the fields. */
    private Customer() {}

    private Customer(Customer other) {
        id = other.id;
        name = other.name;
        email = other.email;
        street = other.street;
        city = other.city;
        country = other.country;
        notes = other.notes;
        visits = other.visits;
    }

    /** Creates a customer from a number, the same one each time. */
    public static Customer sample(int number, int lengthOfNotes) {
        Customer customer = new Customer();
        customer.id = number;
        customer.name = "Ada Lovelace the %05dth".formatted(number);
        customer.email = "ada.%05d@customers.example".formatted(number);
        customer.street = "Saint James's Square %05d".formatted(number);
        customer.city = "London";
        customer.country = "GB";
        customer.notes = "Pays in time. ".repeat(lengthOfNotes / 14 + 1).substring(0, lengthOfNotes);
        return customer;
    }

    public int visits() {
        return visits;
    }

    public Customer visitedAgain() {
        Customer next = new Customer(this);
        next.visits++;
        return next;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Customer that
                && id == that.id
                && visits == that.visits
                && name.equals(that.name)
                && email.equals(that.email)
                && street.equals(that.street)
                && city.equals(that.city)
                && country.equals(that.country)
                && notes.equals(that.notes);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(id);
    }

    @Override
    public String toString() {
        return "customer %d after %d visits".formatted(id, visits);
    }
}
