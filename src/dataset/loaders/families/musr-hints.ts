/** What MuSR tells a model about each kind of story, and whether it stands before the question. */
export const musrHints: Readonly<Record<string, { hint: string; isBeforeQuestion: boolean }>> = {
  murder_mysteries: {
    hint:
      'Before selecting a choice, explain your reasoning step by step. The murderer needs to have a means (access to weapon), motive (reason to kill the victim), ' +
      'and opportunity (access to crime scene) in order to have killed the victim. Innocent suspects may have two of these proven, but not all three. ' +
      'An innocent suspect may be suspicious for some other reason, but they will not have all of motive, means, and opportunity established.\n\n' +
      'If you believe that both suspects have motive, means, and opportunity, you should make an educated guess and pick the one for whom these are best established. ' +
      'If you believe that neither suspect has all three established, then choose the suspect where these are most clearly established.',
    isBeforeQuestion: false,
  },
  object_placements: {
    hint:
      'Based on this story, we want to identify where someone believes that a certain object is at the end of the story. In order to do that, you need to read the story ' +
      'and keep track of where they think the object is at each point. When an object is moved, the person may observe its new location if they saw it move.\n\n' +
      'To see where an object ends up, they must be able to see the location that it moves to and not be too distracted by what they are doing. ' +
      'If they do not observe the object moving, then they will still believe it to be in the last location where they observed it.',
    isBeforeQuestion: true,
  },
  team_allocation: {
    hint:
      'The story should allow you to determine how good each person is at a skill. Roughly, each person is either great, acceptable, or bad at a task. ' +
      'We want to find an optimal assignment of people to tasks that uses their skills as well as possible. In addition, one task will have to have two people assigned to it. ' +
      'The effectiveness of their teamwork (great team, acceptable team, or bad team) also impacts the overall quality of the assignment.\n\n' +
      "When two people need to work on a task and one is bad at it, they don't necessarily benefit from the other person being good, unless they work well together.\n\n" +
      'With different strengths, weaknesses, and interpersonal dynamics at play, you should allocate your team to find the single assignment to ensure that the tasks overall are completed as effectively as possible.',
    isBeforeQuestion: false,
  },
}
