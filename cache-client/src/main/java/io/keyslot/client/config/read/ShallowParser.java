// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import java.util.Optional;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.ParserException;
import org.snakeyaml.engine.v2.parser.Parser;

/**
 * Passes on the events of a parser, and throws if they are nested deeper than {@link #MOST_DEPTH}: composing and
 * reading the tree is recursive, and a small file could overflow the stack.
 */
final class ShallowParser implements Parser {
    /** More than twice the depth of any setting. */
    public static final int MOST_DEPTH = 32;

    public static final String PROBLEM = "is nested deeper than %d, which no setting is".formatted(MOST_DEPTH);

    private final Parser parser;
    private int depth;

    ShallowParser(Parser parser) {
        this.parser = parser;
    }

    @Override
    public boolean checkEvent(Event.ID choice) {
        return parser.checkEvent(choice);
    }

    @Override
    public Event peekEvent() {
        return parser.peekEvent();
    }

    @Override
    public boolean hasNext() {
        return parser.hasNext();
    }

    @Override
    public Event next() {
        Event event = parser.next();
        Event.ID kind = event.getEventId();
        if (kind == Event.ID.MappingStart || kind == Event.ID.SequenceStart) {
            depth++;
        } else if (kind == Event.ID.MappingEnd || kind == Event.ID.SequenceEnd) {
            depth--;
        }
        if (depth > MOST_DEPTH) {
            throw new TooDeepException(event.getStartMark());
        }
        return event;
    }

    static final class TooDeepException extends ParserException {
        private static final long serialVersionUID = 1L;

        TooDeepException(Optional<Mark> where) {
            super(PROBLEM, where);
        }
    }
}
