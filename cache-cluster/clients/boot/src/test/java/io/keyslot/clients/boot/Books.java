// SPDX-License-Identifier: Apache-2.0
package io.keyslot.clients.boot;

import io.keyslot.clients.boot.BookShop.Author;
import io.keyslot.clients.boot.BookShop.Book;
import io.keyslot.clients.boot.BookShop.Shelf;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.annotation.CacheEvict;
import org.springframework.cache.annotation.CachePut;
import org.springframework.cache.annotation.Cacheable;

/** A service whose methods are cached, and counted when they are called. Not final: Spring makes a subclass of it. */
class Books {
    private final AtomicInteger calls = new AtomicInteger();

    /** By a method, as the fields of the subclass are not these. */
    public int calls() {
        return calls.get();
    }

    @Cacheable("books")
    public Book find(long id) {
        return book(id, "found");
    }

    @Cacheable(cacheNames = "bestsellers", sync = true)
    public Book findOnce(long id) {
        return book(id, "bestseller");
    }

    @Cacheable("books")
    public @Nullable Book findNone(String title) {
        calls.incrementAndGet();
        return null;
    }

    @Cacheable("books")
    public Optional<Book> findOptional(String title) {
        calls.incrementAndGet();
        return Optional.empty();
    }

    @Cacheable("shelves")
    public List<Book> shelf(Shelf shelf, String language, @Nullable Integer page) {
        return List.of(book(1, shelf + language + page));
    }

    @Cacheable("shelves")
    public List<Book> all() {
        return List.of(book(1, "a"), book(2, "b"));
    }

    @CachePut(cacheNames = "books", key = "#book.id")
    public Book store(Book book) {
        calls.incrementAndGet();
        return book;
    }

    @CacheEvict("books")
    public void remove(long id) {
        calls.incrementAndGet();
    }

    @CacheEvict(cacheNames = "books", allEntries = true)
    public void removeAll() {
        calls.incrementAndGet();
    }

    private Book book(long id, String title) {
        calls.incrementAndGet();
        return new Book(id, title, LocalDate.of(2026, 2, 28), List.of(new Author("Ada")));
    }
}
